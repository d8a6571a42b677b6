"""Adventure School: saves against abilities and spells: at once, or when their player has rolled
(`owed`).

Adventure School, Save, Critical Pass, Diminish.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.events import EffectChanged
from affray.core.engine.state import Effect
from affray.core.rules.ruleset import Context
from affray.mechanics import checks, powers, saves
from affray.rulesets.adventure_school import checks as rolls
from affray.rulesets.adventure_school.conditions import apply_all, end_charms
from affray.rulesets.adventure_school.damage import DamageInstance, deal
from affray.rulesets.adventure_school.resources import gain_diminish

WORKS = (rolls.FAIL, rolls.CRIT_FAIL)
"""The outcomes of a save with which the ability works."""


class AskedSave(Struct, frozen=True, omit_defaults=True):
    """A save that an ability asks for, with its consequences.

    save      health or social; `reflex` if it is that kind of a health save
    dc        its DC; None if unknown
    types     the types of its damage, one for each amount
    half      True if those who pass take half of the damage
    inflicts  the effects of failing
    diminish  the levels that its user still takes if it works
    """

    save: str
    dc: int | None = None
    reflex: bool = False
    types: tuple[str, ...] = ()
    half: bool = False
    inflicts: powers.Inflicts = ()
    diminish: int = 0

    def harms(self, outcome: str) -> bool:
        """True if this outcome takes damage."""
        return outcome in WORKS or (outcome == rolls.PASS and self.half)


def make(
    ctx: Context,
    by: str,
    who: str,
    asked: AskedSave,
    die: DieInput,
    terms: checks.RollModifiers,
) -> str:
    """Make a save against what `by` does; returns the outcome."""
    kinds = (*(f"vs-{kind}" for kind in asked.types if kind), *(["reflex"] if asked.reflex else []))
    save = rolls.CheckRequest(
        who, asked.save, die, asked.dc, by, terms, kind="save", extra_kinds=kinds
    )
    return save.make(ctx).outcome


def hurt(
    ctx: Context, by: str, who: str, asked: AskedSave, amounts: Sequence[int], outcome: str
) -> None:
    """Deal the damage after a save: half if it was passed."""
    if amounts and asked.harms(outcome):
        parts = tuple(zip(amounts, asked.types, strict=True))
        deal(ctx, who, DamageInstance(parts, by, half=outcome == rolls.PASS))


def inflict(ctx: Context, by: str, who: str, asked: AskedSave, outcome: str) -> None:
    """Apply the effects of a failed save."""
    if outcome not in rolls.PASSES:
        powers.apply_inflicted(ctx, by, who, asked.inflicts, apply_all)


def owe(ctx: Context, by: str, who: str, of: str, asked: AskedSave, amounts: Sequence[int]) -> None:
    """Let somebody owe a save, with the damage that has fallen."""
    saves.owe(ctx, who, by, of, amounts, msgspec.json.encode(asked).decode())


# -- saves that are owed ---------------------------------------------------------------------------


def _asked(owed: Effect) -> AskedSave:
    return msgspec.json.decode(owed.because, type=AskedSave)


def settle(
    terms: checks.RollModifiers, ctx: Context, combatant_id: str, owed: Effect, die: DieInput
) -> str:
    """Make a save that is owed; returns the outcome."""
    saves.end_owed(ctx, combatant_id, owed)
    asked, by = _asked(owed), owed.source
    outcome = make(ctx, by, combatant_id, asked, die, terms)
    hurt(ctx, by, combatant_id, asked, saves.amounts_of(owed)[: len(asked.types)], outcome)
    end_charms(ctx, combatant_id, by)
    inflict(ctx, by, combatant_id, asked, outcome)
    if outcome in WORKS and asked.diminish and ctx.state.find(by) is not None:
        gain_diminish(ctx, by, asked.diminish, owed.note)
        _diminish_no_more(ctx, owed)
    return outcome


def _diminish_no_more(ctx: Context, owed: Effect) -> None:
    """Note on the other saves against the same that its user has taken the levels."""
    for combatant in ctx.state.bearers(saves.THREATENED):
        for other in combatant.all_named(saves.THREATENED):
            is_save = saves.kind_of(other) == saves.SAVE  # and no contest of that name
            if is_save and (other.source, other.note) == (owed.source, owed.note):
                asked = replace(_asked(other), diminish=0)
                cause = msgspec.json.encode(asked).decode()
                ctx.emit(EffectChanged(combatant.id, replace(other, because=cause)))


def in_words(owed: Effect) -> str:
    """Name a save that is owed: `health save, DC 13`."""
    asked = _asked(owed)
    what = rolls.REFLEX if asked.reflex else asked.save
    return f"{what} save{f', DC {asked.dc}' if asked.dc is not None else ''}"
