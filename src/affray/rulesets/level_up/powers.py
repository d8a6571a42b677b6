"""Level Up: spells, and what is said of powers.

Seed 002: Actions in Combat, Saving Throws; recharging as of the world's actions.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.state import Combatant
from affray.core.parser import arguments
from affray.core.parser.declarations import fields_behind
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context
from affray.mechanics.actions import PayFunction
from affray.rulesets.level_up import dying
from affray.rulesets.level_up.attacks import AttackArgs, AttackModifiers
from affray.rulesets.srd import attacks, powers
from affray.rulesets.srd.sheet import PAID_WITH

_CHOICE = replace(
    arguments.anywhere_choice_arg(*dying.CHOICES),
    begins=lambda r: r.values["power"].bonus is not None,
)


class PowerModifiers(AttackModifiers, frozen=True):
    """The options of an attack; for a power without one, `failure` is the outcome of a save."""

    choice: Annotated[str, _CHOICE] = ""


class PowerArgs(powers.PowerArgs, frozen=True):
    words: Annotated[
        PowerModifiers, arguments.keyword_args(PowerModifiers, "WORDS", is_asked=False)
    ]


# -- spells ----------------------------------------------------------------------------------------

_TAKES = arguments.anywhere_choice_arg(
    *PAID_WITH, field=Field("choice", ("bonus", "reaction", "none"))
)
_CONCENTRATION = Field("choice", ("concentration",))
_AT = arguments.keyword_arg(
    "at", arguments.struct_arg(AttackArgs), field=fields_behind("at", AttackArgs)
)


class CastArgs(Struct, frozen=True):
    spell: Annotated[str, arguments.phrase_arg("the spell", "SPELL", Field("spell"))]
    takes: Annotated[str, _TAKES] = ""
    concentration: Annotated[bool, arguments.flag_arg(field=_CONCENTRATION)] = False
    at: Annotated[AttackArgs | None, _AT] = None


def cast(ctx: Context, args: CastArgs, combatant: Combatant, pay: PayFunction) -> None:
    """A spell, with an attack roll if it is one (rules file, 3.2)."""
    pay_for_it = partial(pay, PAID_WITH.get(args.takes))
    if args.at is None:
        pay_for_it()
        ctx.text = f"{combatant.name} casts {args.spell}"
    else:
        request = attacks.with_spell(combatant, args.at, args.spell)
        attacks.attack(ctx, combatant, args.at, request, pay_for_it)
    if args.concentration:
        powers.concentrate(ctx, combatant.id, args.spell)
