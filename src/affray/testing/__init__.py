"""Tools for tests that play as a game master does: keys for typed commands, and a check that a game
of your own keeps what affray promises for every command.

    found = keys_for(fight, "strike ghoul-1 hit 5")
    found.shown    # `T 3 h 5 enter`

    conforms(RULESET)

The program itself never loads this.
"""

from affray.testing.by_keys import NoKeys, Typed, fewest_keys, keys_for
from affray.testing.conformance import conforms

__all__ = ["NoKeys", "Typed", "conforms", "fewest_keys", "keys_for"]
