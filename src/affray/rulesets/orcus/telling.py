"""A combatant's own numbers in words, as a stat block has them. Seed 003: Making an Attack."""

from __future__ import annotations

from affray.core.heart.state import Combatant, Encounter
from affray.core.language.refusal import signed
from affray.rulesets.orcus import creatures
from affray.rulesets.orcus.creatures import Attack

DEFENSES = {"ac": "AC", "fortitude": "Fort", "reflex": "Ref", "will": "Will"}


def told(state: Encounter, combatant: Combatant) -> dict[str, str]:
    """Its attacks, and whose companion or summon it is (seed 003: Companions, Summons)."""
    found: dict[str, str] = {}
    attacks = creatures.attacks_of(combatant)
    if attacks:
        told = (f"{attack.name} {attack_in_words(attack)}" for attack in attacks)
        found["attacks"] = f"Attacks {', '.join(told)}"
    owner = creatures.owner_of(combatant)
    if owner:
        bond = "Summoned by" if creatures.is_summon(combatant) else "Companion of"
        found |= {"owner": f"{bond} {state.name(owner)}", "companion": ""}
    return found


def attack_in_words(attack: Attack) -> str:
    """`+8 vs AC 1d8+3 cold ranged`; whatever is not said of it goes unsaid."""
    words = [
        f"{signed(attack.bonus)} vs {DEFENSES[attack.defense]}",
        attack.dice,
        attack.type,
        attack.reach if attack.reach != "melee" else "",
        "half on a miss" if attack.half else "",
        f"extra {attack.extra}" if attack.extra else "",
    ]
    return " ".join(filter(None, words))
