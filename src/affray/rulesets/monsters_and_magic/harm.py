"""The commands damage, heal and temp. Seed 004: Attacking & Dealing Damage, Hit Points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.clauses import read_amount, read_type
from affray.core.refusal import Refused, listed
from affray.core.ruleset import Verb
from affray.core.state import Combatant
from affray.core.words import Words
from affray.rulesets.monsters_and_magic import damage
from affray.rulesets.monsters_and_magic.checks import Outcome

if TYPE_CHECKING:
    from affray.core.decide import Context


def _damage(ctx: Context, words: Words) -> None:
    targets = words.combatants("who is damaged")
    amount = read_amount(ctx, words, "the damage")
    kind = read_type(words, damage.known_types(ctx), ("half",))
    halves = _read_halves(words, targets)
    strangers = [ctx.state.name(h) for h in halves if h not in {t.id for t in targets}]
    if strangers:
        raise Refused(
            f"{listed(strangers, 'and')} can't take half: not among those who are damaged"
        )
    for target in targets:
        outcome: Outcome = "weak" if target.id in halves else "strong"
        damage.deal(ctx, target.id, damage.Blow(amount, kind, outcome))
    verb = "takes" if len(targets) == 1 else "take"
    ctx.text = f"{_names(targets)} {verb} {amount}{f' {kind}' if kind else ''}"


def _read_halves(words: Words, targets: list[Combatant]) -> list[str]:
    """Read `half NAME[,NAME]`, as often as it stands there; a single target needs no name."""
    halves: list[str] = []
    while words.take("half"):
        alone = words.done and len(targets) == 1
        halves += [c.id for c in (targets if alone else words.combatants("who takes half"))]
    return halves


def _names(people: list[Combatant]) -> str:
    return listed([c.name for c in people], "and")


def _heal(ctx: Context, words: Words) -> None:
    targets = words.combatants("who is healed")
    amount = read_amount(ctx, words, "the healing")
    healed = [damage.heal(ctx, target.id, amount) for target in targets]
    verb = "is" if len(targets) == 1 else "are"
    ctx.text = f"{_names(targets)} {verb} healed{'' if any(healed) else ', with nothing to heal'}"


def _temp(ctx: Context, words: Words) -> None:
    target = words.combatant("who gets temporary HP")
    amount = read_amount(ctx, words, "the temporary HP")
    damage.temporary(ctx, target.id, amount)
    ctx.text = f"{target.name} gets temporary HP"


HARM_VERBS = (
    Verb(
        "damage",
        "damage NAME[,NAME] AMOUNT [TYPE] [half NAME[,NAME]]",
        "deals damage, through AC and resistance",
        _damage,
    ),
    Verb("heal", "heal NAME[,NAME] AMOUNT", "heals HP; the dying wake", _heal),
    Verb("temp", "temp NAME AMOUNT", "gives temporary HP; of two sources the higher stays", _temp),
)
