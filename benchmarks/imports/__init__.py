"""How right imports are: whole collections, read without affray's code and compared with the rows.

`make imports COLLECTIONS="vault homebrew.json"` imports each into a new campaign of 5e, reads its
files by `readers`, and prints how many fields of each kind are the same in `bestiary.toml`.
"""
