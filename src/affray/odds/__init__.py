"""How a fight is likely to end from where it stands: it is played out again and again.

    odds = odds_of(fight, 1000)
    print(*result_lines(fight.state, fight.ruleset.tables, odds), sep="\n")

`simulate` plays them in processes of its own, and yields the odds while more are played. Nothing
here writes into a log, or uses up a die of the fight.
"""

from affray.odds.simulation import (
    Estimate,
    Policy,
    RulesRef,
    SimulationResult,
    attack_the_weakest,
    odds_of,
    play_out,
    result_lines,
    simulate,
    so_far,
)

__all__ = [
    "Estimate",
    "Policy",
    "RulesRef",
    "SimulationResult",
    "attack_the_weakest",
    "odds_of",
    "play_out",
    "result_lines",
    "simulate",
    "so_far",
]
