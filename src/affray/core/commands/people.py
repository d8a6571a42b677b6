"""Commands about who is in the fight: add, leave, rename, conceal, reveal, set."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, get_args

from affray.core.commands import grouping
from affray.core.heart import turns
from affray.core.heart.events import Adjusted, Changed, Left, Revealed
from affray.core.heart.state import Combatant, Side
from affray.core.language.clauses import names, read_gm_track, read_sides, take_gm, they
from affray.core.language.refusal import Refused
from affray.core.language.words import Word, Words
from affray.core.rules.ruleset import Verb

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


def _leave(ctx: Context, words: Words) -> None:
    take_out(ctx, read_anybody(words, "who leaves"))


def read_anybody(words: Words, what: str = "one or more combatants") -> list[Combatant]:
    """Read one or several for what can be done to whoever is here; the dead are of their sides."""
    return words.combatants(what, list(words.state.in_order()))


def take_out(ctx: Context, leaving: list[Combatant]) -> None:
    """Take people out of the fight; a turn that one of them was taking goes on to the next."""
    for combatant in leaving:
        if ctx.state.takes_turn(combatant.id):
            turns.end_turn(ctx, combatant.id)
        ctx.emit(Left(combatant.id))
    grouping.leave_nobody_alone(ctx)
    if ctx.state.phase == "combat" and not ctx.state.turn and turns.anyone_left(ctx.state):
        turns.begin_next(ctx)
    ctx.text = f"{they(leaving, 'leaves', 'leave')} the fight"


def _rename(ctx: Context, words: Words) -> None:
    who = words.combatant()
    words.refuse_open_quote()
    name = words.rest()
    if not name or len(name) > 40:
        raise words.refuse("expected a new name of 1 to 40 characters")
    ctx.emit(Adjusted(who.id, "name", name))
    ctx.text = f"{who.name} is now called {name}"


def _conceal(ctx: Context, words: Words) -> None:
    _let_players_know(ctx, words, known=False)


def _reveal(ctx: Context, words: Words) -> None:
    _let_players_know(ctx, words, known=True)


def _let_players_know(ctx: Context, words: Words, known: bool) -> None:
    """Change it for those of whom the players know otherwise; the others are not named."""
    otherwise = [who for who in words.state.in_order() if who.hidden == known]
    fitting = [who.id for who in otherwise]
    if words.done:
        raise words.refuse("expected one or more combatants", fitting)
    named = read_anybody(words)
    people = [who for who in named if who.id in fitting]
    what = "known" if known else "unknown"
    if not people:
        words.back()
        raise words.refuse(f"{they(named, 'is', 'are')} {what} to the players already", fitting)
    ctx.emit(*(Revealed(who.id, hidden=not known) for who in people))
    ctx.text = f"{they(people, 'is', 'are')} {what} to the players"


def _set(ctx: Context, words: Words) -> None:
    if take_gm(words):
        _set_of_gm(ctx, words)
        return
    people = read_anybody(words, "whose number it is")
    known = {c.id: _settable(ctx, c) for c in people}
    what = words.choice(
        "a track or a number of theirs",
        dict.fromkeys((*(name for row in known.values() for name in row), "side")),
    )
    if what == "side":
        side = words.choice("a side", get_args(Side))
        ctx.emit(*(Adjusted(c.id, "side", side) for c in people))
        ctx.text = f"{they(people, 'is', 'are')} now with {side}"
        return
    is_track = any(what in c.tracks for c in people)
    without = [c for c in people if what not in (c.tracks if is_track else known[c.id])]
    if without:
        raise Refused(f"{they(without, 'has', 'have')} no {what}")
    value = (_set_track if is_track else _set_stat)(ctx, words, people, what)
    for who in people:
        ctx.ruleset.set_by_hand(ctx, who.id)
    ctx.text = f"{names(people)}: {what} is {value}"


def _set_of_gm(ctx: Context, words: Words) -> None:
    track = read_gm_track(ctx, words)
    value = words.number(track)
    ctx.emit(Changed("", track, value - ctx.state.gm(track), why="by hand"))
    ctx.text = f"{ctx.tables.track(track).whose}: {track} is {value}"


def _settable(ctx: Context, who: Combatant) -> list[str]:
    """What can be written of somebody: tracks, own numbers and words, and those of the rules."""
    own = [s for s in who.stats if _can_be_written(who.stats[s])]
    return [*who.tracks, *own, *_whole_numbers(ctx, who)]


def _whole_numbers(ctx: Context, who: Combatant) -> list[str]:
    """The numbers that it has by the rules, such as its speed, even if nobody has given them."""
    totals = ctx.ruleset.totals(ctx.tables, ctx.state, who)
    return [name for name in totals if ctx.tables.total(name).whole]


def _can_be_written(value: object) -> bool:
    """Whether a few words can say it: a number, a text or a list of words, but no table."""
    if isinstance(value, list):
        return all(isinstance(part, str) for part in value)
    return not isinstance(value, dict)


def _set_track(ctx: Context, words: Words, people: list[Combatant], what: str) -> int:
    rule = ctx.tables.track(what)
    read = partial(_read_die, ctx, words, what) if rule.shown == "die" else words.number
    value = words.number(what, -99_999) if rule.below else read(what)
    top = read("the new maximum") if words.take("of", "max") else None
    for who in people:
        track = who.tracks[what]
        most = track.max if top is None else top
        if most is not None and value > most:
            raise words.refuse(
                f"{what} of {who.name} goes up to {most}; `set ... {value} of MAX` raises it"
            )
        new = most if most != track.max else None
        ctx.emit(Changed(who.id, what, value - track.value, new, "by hand"))
    return value


def _read_die(ctx: Context, words: Words, track: str, what: str) -> int:
    """A die that `add` would take for the track, by the number of its sides."""
    sides = read_sides(words, what)
    _refuse_as_add_does(ctx, words, track, str(sides))
    return sides


def _set_stat(ctx: Context, words: Words, people: list[Combatant], what: str) -> object:
    """Write a number of their own, or words, as each of them has it: all of one kind."""
    kinds = {type(who.stats.get(what, 0)) for who in people}
    if len(kinds) > 1:
        raise Refused(f"{what} is not of one kind for {names(people)}: set it one by one")
    kind = kinds.pop()
    value: object = words.number(what, -99) if issubclass(kind, int) else words.rest()
    if kind is bool:
        value = bool(value)
    if kind is list:
        value = str(value).replace(",", " ").split()
    if not isinstance(value, (bool, list)):
        _refuse_as_add_does(ctx, words, what, str(value))
    ctx.emit(*(Adjusted(who.id, what, value) for who in people))
    return ", ".join(value) or "nothing" if isinstance(value, list) else value


def _refuse_as_add_does(ctx: Context, words: Words, what: str, said: str) -> None:
    """Raises Refused for a number or a word, read last, that `add` wouldn't take there either."""
    sheet = ctx.ruleset.sheet
    if not said or what not in {word.name for word in sheet.words(ctx.tables)}:
        return
    try:
        sheet.spelt(ctx, Words([Word(what), Word(said)], ctx.state))
    except Refused as refusal:
        words.back()
        raise words.refuse(refusal.message, refusal.candidates) from None


PEOPLE_VERBS = (
    Verb("leave", "leave NAME[,NAME]", "takes somebody out of the fight", _leave),
    Verb("rename", "rename NAME NEW NAME", "gives another name", _rename),
    Verb("conceal", "conceal NAME[,NAME]", "keeps somebody from the players' view", _conceal),
    Verb("reveal", "reveal NAME[,NAME]", "shows somebody in the players' view", _reveal),
    Verb(
        "set",
        "set NAME[,NAME] TRACK VALUE [of MAX] | set gm TRACK VALUE",
        "writes a number as it is",
        _set,
    ),
)
