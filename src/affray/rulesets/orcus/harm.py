"""The commands damage, heal, temp, recovery.

Seed 003: Damage, Healing, Recoveries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import harm
from affray.rulekit.placing import Placing, placing_said, until_for
from affray.rulesets.orcus import companions, damage, healing
from affray.rulesets.orcus.conditions import LASTING

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


class _Damage(harm.Damage, frozen=True):
    """What `damage` says."""

    type: Annotated[str, arguments.damage_type(damage.dealt_types, others=False)] = ""
    knockout: Annotated[bool, arguments.flag()] = False


def _damage(ctx: Context, who: str, said: _Damage, half: bool) -> None:
    blow = damage.Blow(said.amount, said.type, half=half, knockout=said.knockout)
    damage.deal(ctx, who, blow)


_ENDS = "for N turns | until start|end of NAME | fight | round N"


class _Temporary(harm.Temporary, frozen=True):
    """What `temp` says: how long they last as well."""

    placing: Annotated[Placing, placing_said(LASTING, _ENDS)] = Placing()


def _temp(ctx: Context, who: str, said: _Temporary) -> None:
    until = until_for(LASTING, ctx, who, said.placing) if said.placing.is_timed else None
    healing.temporary(ctx, who, said.amount, until)


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
    harm.damage_verb("deals damage, through resistance and temporary HP", _Damage, _damage),
    harm.heal_verb("heals HP, from 0 on for who is below", healing.heal),
    harm.temp_verb("gives temporary HP; of two sources the higher stays", _Temporary, _temp),
    Verb(
        "recovery",
        "recovery NAME[,NAME] [plus N] [with COMPANION]",
        "spends a recovery, which heals the recovery value; a second one for a companion",
        _recovery,
    ),
)
