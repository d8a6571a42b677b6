"""What follows on what an attack or a power has laid: on the first failed save, and afterwards.

A row says it: `inflicts immobile save-ends failed stunned save-ends aftereffect rattled save-ends`.
Which row an effect came by is counted with its bearer, under the effect's id.
Seed 003: Saving Throws, Duration, The End of Your Turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from affray.core.heart.decide import Context
from affray.core.heart.events import Forgot, Lost, Used
from affray.core.heart.state import Combatant, Effect
from affray.rulekit import powers
from affray.rulekit.placing import Affliction, Placing
from affray.rulesets.orcus import conditions, sheet
from affray.rulesets.orcus.sheet import Attack

_SPAN = "follows "
"""How the span begins under which it is kept what an effect came by."""
_FAILED = "failed"
_RAN_OUT = ("saved against", "its time is up")
"""Why an effect ended that has an aftereffect; whatever was taken away has none."""


def afflict(ctx: Context, by: str, target: str, row: Attack) -> None:
    """Lay what a row inflicts, and keep what follows on it."""

    def lay(ctx: Context, who: str, what: Sequence[Affliction], placing: Placing) -> None:
        laid = conditions.lay_together(ctx, who, what, placing)
        if laid and (row.failed or row.aftereffect):
            ctx.emit(Used(who, f"{by}/{row.name}", f"{_SPAN}{laid[0].id}"))

    powers.afflict(ctx, by, target, row.inflicts, lay)


def save_failed(ctx: Context, who: str, effect: Effect, early: bool) -> None:
    """A save against an effect failed: the first time it gets worse, when the turn is over."""
    for _, row in _rows(ctx, ctx.state[who], effect.id):
        if row.failed and early:
            ctx.emit(Used(who, _FAILED, f"{_SPAN}{effect.id}"))
        elif row.failed:
            _worsen(ctx, who, effect.id)


def turn_ending(ctx: Context, who: str) -> None:
    """What a save has failed against in this turn gets worse now."""
    for effect in ctx.state[who].effects:
        if ctx.state[who].used(_FAILED, f"{_SPAN}{effect.id}"):
            _worsen(ctx, who, effect.id)


def _worsen(ctx: Context, who: str, effect: str) -> None:
    """In place of an effect its row's worse one."""
    rows = list(_rows(ctx, ctx.state[who], effect))
    ctx.emit(Forgot(who, f"{_SPAN}{effect}"))
    for by, row in rows:
        conditions.end_with_all(ctx, who, effect, "the first failed save")
        powers.afflict(ctx, by, who, row.failed, conditions.lay_together)


def settled(ctx: Context) -> None:
    """Where an effect has run out or was saved against, what follows on it begins."""
    for event in tuple(ctx.events):
        who = ctx.state.find(event.who) if isinstance(event, Lost) else None
        if not isinstance(event, Lost) or who is None or who.effect(event.effect) is not None:
            continue
        rows = list(_rows(ctx, who, event.effect))
        if not rows:
            continue
        ctx.emit(Forgot(who.id, f"{_SPAN}{event.effect}"))
        for by, row in rows if event.why in _RAN_OUT else ():
            powers.afflict(ctx, by, who.id, row.aftereffect, conditions.lay_together)


def _rows(ctx: Context, who: Combatant, effect: str) -> Iterator[tuple[str, Attack]]:
    """By whose row an effect came, while they are here."""
    begins = f"{_SPAN}{effect}/"
    for key in who.uses:
        by, _, name = key.removeprefix(begins).partition("/")
        maker = ctx.state.find(by) if key.startswith(begins) and name else None
        if maker is not None:
            own = sheet.powers_of(maker)
            each = [*sheet.attacks_of(maker), *(p.attack for p in own), *(p.brings for p in own)]
            yield from ((by, row) for row in each if row is not None and row.name == name)
