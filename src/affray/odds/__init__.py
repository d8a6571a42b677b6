"""How a fight is likely to end, from where it stands: it is played out again and again.

    for odds in reckon(fight.state, Rules(fight.ruleset.id), 1000):
        print(*words(fight.state, fight.ruleset.tables, odds), sep="\n")

Nothing here is written into any log; the dice are dice of its own.
"""

from affray.odds.simulation import (
    Estimate,
    Policy,
    RulesRef,
    SimulationResult,
    attack_the_weakest,
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
    "play_out",
    "result_lines",
    "simulate",
    "so_far",
]
