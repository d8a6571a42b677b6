"""The commands damage, heal and temp. Seed 004: Attacking & Dealing Damage, Hit Points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.language.clauses import read_amount, read_half, read_type, they
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulesets.monsters_and_magic import damage
from affray.rulesets.monsters_and_magic.checks import Outcome

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


def _damage(ctx: Context, words: Words) -> None:
    targets = words.combatants("who is damaged")
    amount = read_amount(ctx, words, "the damage")
    kind = read_type(words, damage.known_types(ctx), ("half",))
    halves: set[str] = set()
    while words.take("half"):
        halves |= read_half(words, targets)
    for target in targets:
        outcome: Outcome = "weak" if target.id in halves else "strong"
        damage.deal(ctx, target.id, damage.Blow(amount, kind, outcome))
    ctx.text = f"{they(targets, 'takes', 'take')} {amount}{f' {kind}' if kind else ''}"


def _heal(ctx: Context, words: Words) -> None:
    targets = words.combatants("who is healed")
    amount = read_amount(ctx, words, "the healing")
    healed = [damage.heal(ctx, target.id, amount) for target in targets]
    in_vain = "" if any(healed) else ", with nothing to heal"
    ctx.text = f"{they(targets, 'is', 'are')} healed{in_vain}"


def _temp(ctx: Context, words: Words) -> None:
    targets = words.combatants("who gets temporary HP")
    amount = read_amount(ctx, words, "the temporary HP")
    for target in targets:
        damage.temporary(ctx, target.id, amount)
    ctx.text = f"{they(targets, 'gets', 'get')} temporary HP"


HARM_VERBS = (
    Verb(
        "damage",
        "damage NAME[,NAME] AMOUNT [TYPE] [half NAME[,NAME]]",
        "deals damage, through AC and resistance",
        _damage,
    ),
    Verb("heal", "heal NAME[,NAME] AMOUNT", "heals HP; the dying wake", _heal),
    Verb(
        "temp",
        "temp NAME[,NAME] AMOUNT",
        "gives temporary HP; of two sources the higher stays",
        _temp,
    ),
)
