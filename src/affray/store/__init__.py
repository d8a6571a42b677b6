"""The log on disk, one encounter per TOML file that only ever grows; and campaigns of such files.

`entry_toml` writes one entry and seals it, `log_recovery` judges which bytes still are a log, and
`log_file` reads a log and appends to it: these deal in plain dicts, and know no rule and no kind of
event. `entries` makes events of them, and `open_encounter` the fight that is played.
"""
