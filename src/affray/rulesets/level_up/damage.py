"""Damage: from what fell to the HP that are lost, and what 0 HP brings. Rules file, 6 and 8."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from affray.core.heart.events import Changed, Noted
from affray.core.language.clauses import read_amount, read_type, they
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulesets.level_up import dying

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


class Blow(Struct, frozen=True):
    """Damage on its way, as it fell.

    critical  twice that, before all else; half: half on a save, after it
    bonus     what the situation adds to it: a flat bonus of its attacker's
    by        whose attack it is; empty for other damage
    melee     whether it is a melee attack, so that it can knock out
    magical   whether it is of no mundane weapon
    choice    what it brings to somebody at 0 HP: failure, fatigue or strife; empty for unsaid
    """

    amount: int
    type: str = ""
    by: str = ""
    critical: bool = False
    half: bool = False
    bonus: int = 0
    melee: bool = False
    magical: bool = True
    knockout: bool = False
    choice: str = ""


def deal(ctx: Context, who: str, blow: Blow) -> int:
    """Let a blow land: temporary HP first, then HP, then what 0 HP brings. Gives what it came to.

    Raises Refused for somebody who is dead, or who has no HP.
    """
    target = ctx.state[who]
    if "hp" not in target.tracks:
        raise Refused(f"{target.name} has no HP that could be damaged")
    if target.life == "dead":
        raise Refused(f"{target.name} is dead")
    amount = blow.amount * (2 if blow.critical else 1)
    amount = max(0, (amount // 2 if blow.half else amount) + blow.bonus)
    how = f"{amount} {blow.type}".strip()
    if not amount:
        ctx.emit(Noted(f"{target.name} takes no damage ({how})"))
        return 0
    cushion = min(amount, target.track("temp_hp"))
    if cushion:
        ctx.emit(Changed(who, "temp_hp", -cushion, why=how))
    lost = min(amount - cushion, target.track("hp"))
    if lost:
        ctx.emit(Changed(who, "hp", -lost, why=how))
        if not ctx.state[who].track("hp"):
            dying.fall(ctx, who)
    return amount


def _damage(ctx: Context, words: Words) -> None:
    targets = words.combatants("who is damaged")
    amount = read_amount(ctx, words)
    kind = read_type(words, lambda: ctx.tables.damage_types, others=False)
    for target in targets:
        deal(ctx, target.id, Blow(amount, kind))
    ctx.text = f"{they(targets, 'takes', 'take')} {amount} {kind}".strip()


DAMAGE_VERBS = (
    Verb("damage", "damage NAME[,NAME] AMOUNT [TYPE]", "deals damage of no attack", _damage),
)
