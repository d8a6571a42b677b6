"""5e: the commands `damage` and `heal`.

SRD 5.2.1, Damage and Healing, Healing, Death Saving Throws.
"""

from __future__ import annotations

from typing import Annotated

from affray.core.parser import arguments
from affray.core.rules.ruleset import Context
from affray.mechanics import damage as shared_damage
from affray.rulesets.fifth import dying
from affray.rulesets.srd import damage
from affray.rulesets.srd.sheet import MUNDANE


class DamageArgs(shared_damage.DamageArgs, frozen=True):
    """The arguments of `damage`, for damage without an attack; with `crit` it is a critical hit's,
    for whoever is at 0 HP."""

    type: Annotated[str, arguments.damage_type_arg()] = ""
    knockout: arguments.Flag = False
    weapon: Annotated[str, arguments.anywhere_choice_arg("magical", MUNDANE)] = "magical"
    crit: Annotated[bool, arguments.flag_arg("critical")] = False


def _deal(ctx: Context, combatant_id: str, args: DamageArgs, half: bool) -> None:
    blow = damage.DamageInstance(
        [(args.amount, args.type)],
        critical=args.crit,
        half=half,
        melee=True,
        magical=args.weapon != MUNDANE,
        knockout=args.knockout,
    )
    damage.deal(ctx, combatant_id, blow)


def heal(ctx: Context, combatant_id: str, amount: int) -> int:
    """Heal, which wakes whoever was knocked out, too."""
    healed = damage.heal(ctx, combatant_id, amount)
    dying.wake(ctx, combatant_id, "healed")
    return healed


DAMAGE = shared_damage.damage_command(
    "deals damage, through resistance and temporary HP", DamageArgs, _deal
)
