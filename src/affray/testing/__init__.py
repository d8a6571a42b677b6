"""What tests use to play as a game master does: typed commands, given by keys; and what is
promised for every command of a game, held for a game of one's own.

    found = keys_for(fight, "strike ghoul-1 hit 5")
    found.shown    # `T 3 h 5 enter`

    conforms(RULESET)

No command of the program loads this.
"""

from affray.testing.by_keys import NoKeys, Typed, fewest_keys, keys_for
from affray.testing.conformance import conforms

__all__ = ["NoKeys", "Typed", "conforms", "fewest_keys", "keys_for"]
