"""The commands damage, heal, temp, recovery.

Seed 003: Damage, Healing, Recoveries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from affray.core.heart.state import Combatant
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import harm
from affray.rulekit.placing import read_placing, until_for
from affray.rulesets.orcus import companions, damage, healing
from affray.rulesets.orcus.conditions import LASTING

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


def _struck(ctx: Context, who: str, struck: harm.Struck) -> None:
    knockout = "knockout" in struck.said
    blow = damage.Blow(struck.amount, struck.kind, half=struck.half, knockout=knockout)
    damage.deal(ctx, who, blow)


def _give(ctx: Context, words: Words, targets: Sequence[Combatant], amount: int) -> None:
    """Read how long they last, if that is said, and give temporary HP."""
    lasts = not words.done
    placing = read_placing(LASTING, ctx, words)
    for target in targets:
        until = until_for(LASTING, ctx, target.id, placing) if lasts else None
        healing.temporary(ctx, target.id, amount, until)


def _recovery(ctx: Context, words: Words) -> None:
    people = words.combatants("who spends a recovery")
    ctx.text = ", ".join(words.for_each(people, lambda _, who: _spend_one(ctx, words, who)))


def _spend_one(ctx: Context, words: Words, who: Combatant) -> str:
    """Read what is said of a recovery, and spend it; gives what came of it."""
    bonus, companion = 0, None
    while word := words.take("plus", "with"):
        if word == "plus":
            bonus = words.number("the bonus to what it heals", 0)
        else:
            companion = companions.read_companion(words, who)
    has_spent = healing.spend_recovery(ctx, who.id, "a recovery", bonus)
    said = f"{who.name} {'spends a recovery' if has_spent else 'comes to, at 1 HP'}"
    if companion is None:
        return said
    healing.spend_recovery(ctx, companion.id, "a recovery")
    return f"{said}, and one for {companion.name}"


HARM_VERBS: tuple[Verb, ...] = (
    harm.damage_verb(
        "deals damage, through resistance and temporary HP",
        damage.dealt_types,
        _struck,
        ("knockout",),
    ),
    harm.heal_verb("heals HP, from 0 on for who is below", healing.heal),
    harm.temp_verb(
        "gives temporary HP; of two sources the higher stays",
        "[for N turns] [until start|end of NAME | fight | round N]",
        _give,
    ),
    Verb(
        "recovery",
        "recovery NAME[,NAME] [plus N] [with COMPANION]",
        "spends a recovery, which heals the recovery value; a second one for a companion",
        _recovery,
    ),
)
