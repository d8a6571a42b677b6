"""The log on disk: one encounter, one TOML file that only ever grows; and campaigns of them.

`toml_block` writes one entry and seals it, `recovery` judges what bytes still are a log, `log_file`
reads a log and appends to it: these deal in plain dicts, and know no rule and no kind of event.
`entries` makes events of them, and `encounter` what is played.
"""
