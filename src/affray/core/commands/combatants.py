"""Commands that change the combatants of a fight: leave, rename, conceal, reveal, set.

Who brings them in is `newcomers`. Start with `write_number`.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, get_args

from msgspec import Struct

from affray.core.commands import turn_order
from affray.core.engine import events, turns
from affray.core.engine.effects import remove_effect
from affray.core.engine.state import Combatant, Side
from affray.core.formatting.safe_text import hyphenate
from affray.core.parser import arguments, clauses
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.parser.tokens import Token, TokenStream
from affray.core.rules.ruleset import Command, Context

OWED = "owed"
"""The kind of the effects that are no more than a save to be made."""


def anyone_arg(what: str = "one or more combatants", field: Field = Field("targets")) -> Argument:
    """Declare one or several combatants; sides and groups include the dead."""
    return arguments.combatants_arg(what, lambda r: list(r.ctx.state.in_order()), field=field)


class LeaveArgs(Struct, frozen=True):
    """`leave NAME[,NAME]`."""

    people: Annotated[
        list[Combatant], anyone_arg("the combatants who leave", Field("targets", named=True))
    ]


def _leave(ctx: Context, args: LeaveArgs) -> None:
    remove_combatants(ctx, args.people)


def remove_combatants(ctx: Context, leaving: list[Combatant]) -> None:
    """Take people out of the fight; a turn that one of them was taking goes on to the next.

    A save that they owe is owed no more: not when they come back, nor in a later fight.
    """
    for combatant in leaving:
        if ctx.state.takes_turn(combatant.id):
            turns.end_turn(ctx, combatant.id)
        for owed in (effect for effect in ctx.state[combatant.id].effects if effect.kind == OWED):
            remove_effect(ctx, combatant.id, owed.id, "leaves the fight")
        ctx.emit(events.Left(combatant.id))
    turn_order.leave_nobody_alone(ctx)
    if ctx.state.in_combat and not ctx.state.turn and turns.anyone_left(ctx.state):
        turns.begin_next(ctx)
    ctx.text = f"{clauses.names_with_verb(leaving, 'leaves', 'leave')} the fight"


LONGEST_NAME = 40
"""The most characters of a name."""


def _read_new_name(reading: ParseState) -> str:
    tokens = reading.words
    tokens.refuse_open_quote()
    name = tokens.rest()
    if not name or len(name) > LONGEST_NAME:
        raise tokens.refuse(f"expected a new name of 1 to {LONGEST_NAME} characters")
    return name


class RenameArgs(Struct, frozen=True):
    """`rename NAME NEW NAME`."""

    combatant: Annotated[Combatant, arguments.combatant_arg("a combatant", field=Field("self"))]
    name: Annotated[str, Argument(_read_new_name, "NEW NAME", field=Field("text"))]


def _rename(ctx: Context, args: RenameArgs) -> None:
    meant = ctx.state.find(hyphenate(args.name))
    if meant not in (None, args.combatant) and (
        meant.name == args.name or hyphenate(meant.name) != meant.id
    ):
        raise Refused(f"{hyphenate(args.name)!r} already means {meant.name}: choose another name")
    ctx.emit(events.StatChanged(args.combatant.id, "name", args.name))
    ctx.text = f"{args.combatant.name} is now called {args.name}"


def _shown_arg(is_shown: bool) -> Argument:
    """Declare whom to show to the players, or hide from them: those named for whom it changes
    something."""

    def read(reading: ParseState) -> list[Combatant]:
        tokens = reading.words
        everybody = list(tokens.state.in_order())
        fitting = [combatant.id for combatant in everybody if combatant.hidden == is_shown]
        if tokens.done:
            raise tokens.refuse("expected one or more combatants", fitting)
        named = tokens.combatants(among=everybody)
        people = [combatant for combatant in named if combatant.id in fitting]
        if not people:
            tokens.back()
            raise tokens.refuse(f"{_known_text(named, is_shown)} already", fitting)
        return people

    return Argument(read, "NAME[,NAME]", field=Field("targets"))


def _known_text(people: list[Combatant], is_known: bool) -> str:
    word = "known" if is_known else "unknown"
    return f"{clauses.names_with_verb(people, 'is', 'are')} {word} to the players"


class ConcealArgs(Struct, frozen=True):
    """`conceal NAME[,NAME]`."""

    people: Annotated[list[Combatant], _shown_arg(False)]


class RevealArgs(Struct, frozen=True):
    """`reveal NAME[,NAME]`."""

    people: Annotated[list[Combatant], _shown_arg(True)]


def _let_players_know(ctx: Context, args: ConcealArgs | RevealArgs) -> None:
    is_known = isinstance(args, RevealArgs)
    ctx.emit(*(events.Revealed(combatant.id, hidden=not is_known) for combatant in args.people))
    ctx.text = _known_text(args.people, is_known)


def write_number(ctx: Context, tokens: TokenStream) -> None:
    """Set a track or a stat: `mira ac 12`. Raises Refused for one that they lack."""
    if clauses.parse_gm(tokens):
        _set_of_gm(ctx, tokens)
        return
    people = tokens.combatants("the combatants it is for", list(ctx.state.in_order()))
    settable = {c.id: _settable_names(ctx, c) for c in people}
    what = tokens.choice(
        "one of their tracks or numbers",
        dict.fromkeys((*(name for row in settable.values() for name in row), "side")),
    )
    if what == "side":
        side = tokens.choice("a side", get_args(Side))
        ctx.emit(*(events.StatChanged(c.id, "side", side) for c in people))
        ctx.text = f"{clauses.names_with_verb(people, 'is', 'are')} now with {side}"
        return
    is_track = any(what in c.tracks for c in people)
    without = [c for c in people if what not in (c.tracks if is_track else settable[c.id])]
    if without:
        raise Refused(f"{clauses.names_with_verb(without, 'has', 'have')} no {what}")
    value = (_set_track if is_track else _set_stat)(ctx, tokens, people, what)
    for combatant in people:
        ctx.ruleset.state.on_edited_by_hand(ctx, combatant.id)
    ctx.text = f"{clauses.join_names(people)}: {what} is {value}"


def _set_of_gm(ctx: Context, tokens: TokenStream) -> None:
    track = clauses.read_gm_track(ctx, tokens)
    value = tokens.number(track)
    ctx.emit(events.TrackChanged("", track, value - ctx.state.gm(track), why="by hand"))
    ctx.text = f"{ctx.tables.track(track).whose}: {track} is {value}"


def _settable_names(ctx: Context, combatant: Combatant) -> list[str]:
    """The names that `set` can write: tracks, stats, and numbers by the rules such as speed."""
    own = [stat for stat, value in combatant.stats.items() if _is_plain(value)]
    totals = ctx.ruleset.numbers.totals(ctx.tables, ctx.state, combatant)
    return [*combatant.tracks, *own, *(name for name in totals if ctx.tables.total(name).whole)]


def _is_plain(value: object) -> bool:
    """True for a number, a text or a list of words, but no table."""
    if isinstance(value, list):
        return all(isinstance(part, str) for part in value)
    return not isinstance(value, dict)


def _set_track(ctx: Context, tokens: TokenStream, people: list[Combatant], what: str) -> int:
    rule = ctx.tables.track(what)
    read = partial(_read_die, ctx, tokens, what) if rule.shown == "die" else tokens.number
    value = tokens.number(what, -99_999) if rule.below else read(what)
    top = read("the new maximum") if tokens.take("of", "max") else None
    for combatant in people:
        track = combatant.tracks[what]
        most = track.max if top is None else top
        if most is not None and value > most:
            raise tokens.refuse(
                f"{combatant.name} has at most {most} {what}; `of MAX` raises the maximum"
            )
        new = most if most != track.max else None
        ctx.emit(events.TrackChanged(combatant.id, what, value - track.value, new, "by hand"))
    return value


def _read_die(ctx: Context, tokens: TokenStream, track: str, what: str) -> int:
    """Read a die by the number of its sides, and check it as `add` does."""
    sides = clauses.read_sides(tokens, what)
    _refuse_as_add_does(ctx, tokens, track, str(sides))
    return sides


def _set_stat(ctx: Context, tokens: TokenStream, people: list[Combatant], what: str) -> object:
    """Set a stat of all these combatants, which must be of one kind; return it for the text."""
    kinds = {type(combatant.stats.get(what, 0)) for combatant in people}
    if len(kinds) > 1:
        raise Refused(
            f"{what} differs in kind for {clauses.join_names(people)}: set it for each of them"
        )
    kind = kinds.pop()
    value: object = tokens.number(what, -99) if issubclass(kind, int) else tokens.rest()
    if kind is bool:
        value = bool(value)
    if kind is list:
        value = str(value).replace(",", " ").split()
    if not isinstance(value, (bool, list)):
        _refuse_as_add_does(ctx, tokens, what, str(value))
    ctx.emit(*(events.StatChanged(combatant.id, what, value) for combatant in people))
    return ", ".join(value) or "nothing" if isinstance(value, list) else value


def _refuse_as_add_does(ctx: Context, tokens: TokenStream, what: str, text: str) -> None:
    """Raise Refused for a value, read last, that `add` would refuse as well."""
    sheet = ctx.ruleset.sheet
    if not text or what not in {word.name for word in sheet.fields(ctx.tables)}:
        return
    try:
        sheet.read_fields(ctx, TokenStream([Token(what), Token(text)], ctx.state))
    except Refused as refusal:
        tokens.back()
        raise tokens.refuse(refusal.message, refusal.candidates, refusal.heard) from None


PEOPLE_COMMANDS = (
    declare_command("leave", "removes somebody from the fight", LeaveArgs, _leave),
    declare_command("rename", "renames somebody", RenameArgs, _rename),
    declare_command(
        "conceal", "hides somebody from the players' view", ConcealArgs, _let_players_know
    ),
    declare_command("reveal", "shows somebody in the players' view", RevealArgs, _let_players_know),
    Command(
        "set",
        "set NAME[,NAME] TRACK VALUE [of MAX] | set gm TRACK VALUE",
        "sets a number directly",
        write_number,
        fields={"people": Field("self"), "what": Field("track"), "value": Field("number")},
    ),
)
