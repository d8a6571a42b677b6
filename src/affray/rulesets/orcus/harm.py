"""The commands damage, heal, temp, recovery.

Seed 003: Damage, Healing, Recoveries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.state import Combatant
from affray.core.language.clauses import read_amount, read_half, read_type, they
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulesets.orcus import companions, conditions, damage, healing

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


def _damage(ctx: Context, words: Words) -> None:
    targets = words.combatants("who is damaged")
    amount = read_amount(ctx, words, "the damage")
    kind = read_type(words, damage.dealt_types(ctx), ("half", "knockout"), others=False)
    halves, knockout = _read_how(words, targets)
    for target in targets:
        if damage.has_just_died(ctx, target.id):
            continue
        blow = damage.Blow(amount, kind, half=target.id in halves, knockout=knockout)
        damage.deal(ctx, target.id, blow)
    ctx.text = f"{they(targets, 'takes', 'take')} {amount}{f' {kind}' if kind else ''}"


def _read_how(words: Words, targets: list[Combatant]) -> tuple[set[str], bool]:
    """Read `half NAME[,NAME]` and `knockout`, in any order; a single target needs no name."""
    halves: set[str] = set()
    knockout = False
    while word := words.take("half", "knockout"):
        if word == "knockout":
            knockout = True
        else:
            halves |= read_half(words, targets, ("half", "knockout"))
    return halves, knockout


def _heal(ctx: Context, words: Words) -> None:
    targets = words.combatants("who is healed")
    amount = read_amount(ctx, words, "the healing")
    healed = [healing.heal(ctx, target.id, amount) for target in targets]
    in_vain = "" if any(healed) else ", with nothing to heal"
    ctx.text = f"{they(targets, 'is', 'are')} healed{in_vain}"


def _temp(ctx: Context, words: Words) -> None:
    targets = words.combatants("who gets temporary HP")
    amount = read_amount(ctx, words, "the temporary HP")
    lasts = not words.done
    placing = conditions.read_placing(ctx, words)
    for target in targets:
        until = conditions.until_for(ctx, target.id, placing) if lasts else None
        healing.temporary(ctx, target.id, amount, until)
    ctx.text = f"{they(targets, 'gets', 'get')} temporary HP"


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
    Verb(
        "damage",
        "damage NAME[,NAME] AMOUNT [TYPE] [half NAME[,NAME]] [knockout]",
        "deals damage, through resistance and temporary HP",
        _damage,
    ),
    Verb("heal", "heal NAME[,NAME] AMOUNT", "heals HP, from 0 on for who is below", _heal),
    Verb(
        "temp",
        "temp NAME[,NAME] AMOUNT [for N turns] [until start|end of NAME | fight | round N]",
        "gives temporary HP; of two sources the higher stays",
        _temp,
    ),
    Verb(
        "recovery",
        "recovery NAME[,NAME] [plus N] [with COMPANION]",
        "spends a recovery, which heals the recovery value; a second one for a companion",
        _recovery,
    ),
)
