"""How a fight is likely to end, from where it stands: it is played out again and again.

    for odds in reckon(fight.state, Rules(fight.ruleset.id), 1000):
        print(*words(fight.state, fight.ruleset.tables, odds), sep="\n")

Nothing here is written into any log; the dice are dice of its own.
"""

from affray.odds.figures import Estimate, Odds
from affray.odds.playing import Policy, attack_the_weakest, play_out
from affray.odds.reckoning import Rules, reckon
from affray.odds.words import so_far, words

__all__ = [
    "Estimate",
    "Odds",
    "Policy",
    "Rules",
    "attack_the_weakest",
    "play_out",
    "reckon",
    "so_far",
    "words",
]
