"""What tests use to play as a game master does: typed commands, given by keys.

    found = keys_for(fight, "strike ghoul-1 hit 5")
    found.shown    # `T 3 h 5 enter`

No command of the program loads this.
"""

from affray.testing.by_keys import NoKeys, Typed, fewest_keys, keys_for

__all__ = ["NoKeys", "Typed", "fewest_keys", "keys_for"]
