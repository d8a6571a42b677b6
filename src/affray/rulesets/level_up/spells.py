"""Casting a spell, and concentrating. Seed 002: Cast a Spell, Ready; rules file, 3.2."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant, Duration
from affray.core.language import arguments
from affray.rulekit.acts import Pay
from affray.rulekit.placing import Placing, begin
from affray.rulesets.level_up import attacks
from affray.rulesets.level_up.actions import PAID_WITH
from affray.rulesets.level_up.attacks import Assault

CONCENTRATING = "concentrating"


class Cast(Struct, frozen=True):
    """`cast SPELL [action|bonus|reaction|none] [concentration] [at TARGET OUTCOME ...]`."""

    spell: Annotated[str, arguments.phrase("the spell", "SPELL")]
    takes: Annotated[str, arguments.one_of(*PAID_WITH)] = "action"
    concentration: Annotated[bool, arguments.flag(heard="concentration")] = False
    at: Annotated[Assault | None, arguments.clause("at", arguments.form(Assault))] = None


def cast(ctx: Context, said: Cast, who: Combatant, pay: Pay) -> None:
    """A spell, with an attack roll if it is one (rules file, 3.2)."""

    def pay_for_it(cost: dict[str, int] | None = None, subject: str = "") -> None:
        pay(PAID_WITH[said.takes])

    if said.at is None:
        pay_for_it()
        ctx.text = f"{who.name} casts {said.spell}"
    else:
        made = attacks.with_spell(who, said.at, said.spell)
        attacks.attack(ctx, who, said.at, made, pay_for_it)
    if said.concentration:
        concentrate(ctx, who.id, said.spell)


def concentrate(
    ctx: Context, who: str, spell: str, until: Duration | None = None, hangs: str = ""
) -> None:
    """Concentrate on a spell, until the end that is said of it, or as long as that on which it
    hangs."""
    placing = Placing(hangs=hangs)
    begin(ctx, who, CONCENTRATING, until or Duration(says="it stops"), placing, note=spell)
