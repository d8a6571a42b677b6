"""Conditions and other effects: inflict them, each instance with its own duration; marks.

Seed 003: Conditions, Duration, Persistent damage, Marked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.effects import end, end_named, gain, rule_of
from affray.core.heart.state import OUT_OF_THE_FIGHT, Combatant, Duration, Edge, Effect
from affray.core.language.clauses import read_until
from affray.core.language.words import Words
from affray.rulesets.orcus import damage, initiative

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


MARKED, PERSISTENT, DYING = "marked", "persistent", "dying"
SHELTER = "shelter"
"""The kind of what makes its bearer harder to hit for as long as it lasts."""
AMOUNTS = (PERSISTENT, "vulnerability", "resistance", "regeneration")
"""What is inflicted as so much of something."""
KEPT_UP = ("stance", "aura", "zone", "conjuration", "form")
"""The kinds of effects on which others can hang."""
OF_TARGET: dict[str, Edge] = {"target-end": "end", "target-start": "start"}
OF_USER: dict[str, Edge] = {"user-end": "end", "user-start": "start"}
"""The seed's common durations: an edge of the next turn of the target, or of the user."""
COUNTERED = ("prone", "grappled", MARKED)
"""What ends otherwise as well: by standing up, by an escape, by another mark."""
PLACING_WORDS = ("save", "save-ends", *OF_TARGET, *OF_USER, "for", "until", "from", "while", "by")
"""The words with which it is said how an effect is laid."""

_ENDS = {"save": Duration("save"), "saved": Duration("save")}


class Placing(Struct, frozen=True):
    """How an effect is laid on somebody: until when, from whom, hanging on what.

    `turns` counts turns of its bearer's, to the `edge` of the last, where `until` is None.
    `is_timed` tells that a command has said until when.
    """

    until: Duration | None = None
    source: str = ""
    hangs: str = ""
    turns: int = 0
    edge: Edge = "end"
    is_timed: bool = False


class Affliction(Struct, frozen=True):
    """What is inflicted: a condition, or so much of something."""

    name: str
    amount: int = 0
    type: str = ""

    def __str__(self) -> str:
        """In words: "dazed", "persistent 5 fire"."""
        return " ".join(filter(None, (self.name, str(self.amount or ""), self.type)))


# -- how an effect is laid -------------------------------------------------------------------------


def read_placing(
    ctx: Context, words: Words, bearer: str = "", also: Callable[[], bool] = lambda: False
) -> Placing:
    """Read `save ends`, `for N turns`, `until ...`, `from NAME`, `while NAME`, those there are.

    `for N turns` counts turns of `bearer`; with none it stays to be counted for whoever gets the
    effect (`until_for`). `also` reads what else may stand between them, and tells whether there was
    any.
    """
    placing = Placing()
    user_edge: Edge | None = None
    while True:
        if also():
            continue
        clause = words.take(*(word for word in PLACING_WORDS if word != "by"))
        if not clause:
            break
        if clause not in ("from", "while"):
            if placing.is_timed:
                words.back()
                raise words.refuse("expected one duration, not two")
            placing = replace(placing, is_timed=True)
        if clause in OF_USER:  # who that is may be said after it
            user_edge = OF_USER[clause]
        else:
            placing = _read_clause(ctx, words, clause, placing)
    if user_edge is not None:
        placing = replace(placing, until=_until_users(ctx, words, user_edge, placing))
    if placing.turns and bearer:
        return replace(placing, until=until_for(ctx, bearer, placing), turns=0)
    return placing


def _read_clause(ctx: Context, words: Words, clause: str, placing: Placing) -> Placing:
    if clause in ("save", "save-ends"):
        if clause == "save":
            words.choice("`save ends`", ("ends",))
        return replace(placing, until=Duration("save"))
    if clause in OF_TARGET:
        return replace(placing, turns=1, edge=OF_TARGET[clause])
    if clause == "until":
        return replace(placing, until=read_until(ctx, words, _ENDS))
    if clause == "from":
        return replace(placing, source=words.combatant("whom it comes from").id)
    if clause == "while":
        return replace(placing, hangs=_read_what_it_hangs_on(ctx, words, placing.source))
    turns = words.number("how many turns", 1, 99)
    words.take("turns", "turn", "rounds", "round")
    return replace(placing, turns=turns)


def _until_users(ctx: Context, words: Words, edge: Edge, placing: Placing) -> Duration:
    """An edge of the next turn of whoever the effect comes from, else of whoever acts."""
    user = placing.source or ctx.by or ctx.state.turn
    if not user:
        raise words.refuse(f"it is nobody's turn: say whose with `until {edge} of NAME`")
    return timing.at_turn(ctx.state, user, edge)


def _read_what_it_hangs_on(ctx: Context, words: Words, source: str) -> str:
    """Whose stance, aura, zone or conjuration: the source's or actor's before anybody else's."""
    first = source or ctx.by or ctx.state.turn
    keepers = sorted(ctx.state.combatants, key=lambda c: c.id != first)
    kept = [(c, e) for c in keepers for e in c.effects if e.kind in KEPT_UP]
    what = "the stance, aura, zone or conjuration on which it hangs"
    if not kept:
        raise words.refuse(f"nothing is kept up, so there is nothing to say for {what}")
    name = words.choice(what, dict.fromkeys(key for _, e in kept for key in keys_of(e)))
    return next(f"{c.id}/{e.id}" for c, e in kept if name in keys_of(e))


def keys_of(effect: Effect) -> tuple[str, ...]:
    """The words by which a command may call something kept up: its name, and its id."""
    return tuple(dict.fromkeys(key for key in (effect.note.casefold(), effect.id) if key))


def until_for(ctx: Context, who: str, placing: Placing, name: str = "") -> Duration:
    """When an effect ends on somebody: as it is said, as its row of the table says, or by hand."""
    if placing.until is not None:
        return placing.until
    if placing.turns:
        return timing.at_turn(ctx.state, who, placing.edge, placing.turns)
    if placing.hangs:
        return Duration(says=f"{_held(ctx, placing.hangs)} ends")
    if name == PERSISTENT:
        return Duration("save")
    if name == initiative.SURPRISED:
        return initiative.until(ctx.state, who)
    return Duration(says=rule_of(ctx.tables, name).until)


def _held(ctx: Context, hangs: str) -> str:
    who, _, effect_id = hangs.partition("/")
    keeper = ctx.state.find(who)
    effect = keeper.effect(effect_id) if keeper is not None else None
    return (effect.note or effect.name) if effect is not None else effect_id


_PLAIN = Placing()


def lay(
    ctx: Context, who: str, name: str, placing: Placing = _PLAIN, amount: int = 0, type: str = ""
) -> Effect:
    """Lay an effect on somebody: always a new instance, but a mark takes the place of marks.

    Only a mark by another creature does; one by the same is an instance more, with its own
    duration (seed 003: Marked).
    """
    if name == MARKED:
        for old in ctx.state[who].effects:
            if old.name == MARKED and old.source != placing.source:
                end(ctx, who, old.id, f"marked by {ctx.state.name(placing.source)} now")
    effect = Effect(
        f"{name}-{type}" if type else name,
        name,
        rule_of(ctx.tables, name).kind,
        until_for(ctx, who, placing, name),
        placing.source,
        hangs=placing.hangs,
        amount=amount,
        type=type,
    )
    return gain(ctx, who, effect)


def leave(
    ctx: Context,
    who: str,
    name: str,
    until: Duration,
    source: str = "",
    because: str = "",
    note: str = "",
) -> Effect:
    """Begin the effect of the tables that an action leaves behind on somebody."""
    kind = rule_of(ctx.tables, name).kind
    return gain(ctx, who, Effect(name, name, kind, until, source, note=note, because=because))


def renew(ctx: Context, who: str, name: str, until: Duration, source: str = "") -> None:
    """Begin an effect; one of the same name and source that is there already ends for it."""
    kept = [e for e in ctx.state[who].effects if e.name == name and e.source != source]
    if not kept:
        end_named(ctx, who, name, "renewed")
    leave(ctx, who, name, until, source)


def lay_together(
    ctx: Context, who: str, afflictions: list[Affliction], placing: Placing
) -> list[Effect]:
    """Lay what comes at once on somebody: a save that ends the first ends the others with it.

    The first is one that nothing but the save ends, where there is one: standing up is no save.
    """
    laid: list[Effect] = []
    for one in sorted(afflictions, key=lambda one: one.name in COUNTERED):
        shares = bool(laid) and laid[0].until.ends == "save"
        how = replace(placing, until=laid[0].until) if shares else placing
        if shares:
            how = replace(how, hangs=f"{who}/{laid[0].id}")
        laid.append(lay(ctx, who, one.name, how, one.amount, one.type))
    return laid


def end_with_all(ctx: Context, who: str, effect_id: str, why: str) -> None:
    """End an effect and at once whatever hangs on it, on anybody."""
    end(ctx, who, effect_id, why)
    for bearer in ctx.state.combatants:
        for effect in bearer.effects:
            if effect.hangs == f"{who}/{effect_id}":
                end_with_all(ctx, bearer.id, effect.id, why)


def take_persistent_damage(ctx: Context, who: str) -> None:
    """At a turn's start: each instance of persistent damage."""
    for effect in ctx.state[who].effects:
        if effect.name == PERSISTENT and _can_be_hurt(ctx.state[who]):
            blow = damage.Blow(effect.amount, effect.type, effect.source, label=" persistent")
            damage.deal(ctx, who, blow)


def _can_be_hurt(who: Combatant) -> bool:
    return "hp" in who.tracks and who.life not in OUT_OF_THE_FIGHT
