"""Level Up: its own rules of damage, and the commands for damage and healing.

Level Up, Damage and Recovery, Healing and Recovery.
"""

from __future__ import annotations

from typing import Annotated

from affray.core.parser import arguments
from affray.core.rules.ruleset import Context
from affray.mechanics import damage as shared_damage
from affray.rulesets.level_up import dying, scene
from affray.rulesets.srd import damage
from affray.rulesets.srd.sheet import MUNDANE


class DamageArgs(shared_damage.DamageArgs, frozen=True):
    """The arguments of `damage`, for damage that no attack of affray's deals."""

    type: Annotated[str, arguments.damage_type_arg()] = ""
    knockout: arguments.Flag = False
    choice: Annotated[str, arguments.anywhere_choice_arg(*dying.CHOICES)] = ""
    weapon: Annotated[str, arguments.anywhere_choice_arg("magical", MUNDANE)] = "magical"


def _deal(ctx: Context, combatant_id: str, args: DamageArgs, half: bool) -> None:
    bonus = scene.scene_damage_bonus(ctx, args.type, tells=combatant_id == args.targets[0].id)
    blow = damage.DamageInstance(
        [(args.amount + bonus, args.type)],
        half=half,
        melee=True,
        magical=args.weapon != MUNDANE,
        knockout=args.knockout,
        choice=args.choice,
    )
    damage.deal(ctx, combatant_id, blow)


DAMAGE_COMMANDS = (
    shared_damage.damage_command(
        "deals damage, through resistance and temporary HP", DamageArgs, _deal
    ),
    shared_damage.heal_command("heals HP; anybody at 0 HP wakes", damage.heal),
)
COMMANDS = (*DAMAGE_COMMANDS, damage.RESIST)
