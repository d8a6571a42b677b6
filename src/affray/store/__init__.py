"""The log on disk: one encounter, one TOML file that only ever grows.

`log_file` reads a log and appends to it, `recovery` judges what bytes still are a log,
`toml_block` writes one entry and seals it, `upcasting` brings old events up to date.
This layer deals in plain dicts: it knows no rule and no kind of event.
"""
