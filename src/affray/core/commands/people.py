"""Commands about who is in the fight: add, leave, rename, conceal, reveal, set."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, cast, get_args

from affray.core.commands import grouping
from affray.core.commands.from_ledger import come_along
from affray.core.heart import groups, order, turns
from affray.core.heart.events import Added, Adjusted, Changed, Left, Revealed
from affray.core.heart.state import Combatant, Encounter, Kind, Side
from affray.core.language.clauses import gm_value, names, read_gm_track, read_sides, take_gm, they
from affray.core.language.refusal import Refused, did_you_mean, listed
from affray.core.language.words import Word, Words, split_words
from affray.core.rules.ruleset import Verb
from affray.core.rules.tables import Tables, TrackRule

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


_COUNT = re.compile(r"x(\d{1,2})$")
_SIDES: dict[str, Side] = {"pc": "party", "monster": "foes", "hazard": "world"}
MOST_AT_ONCE = 50


def slug(name: str) -> str:
    """An id made from a name: `Fire Imp` -> `fire-imp`. Raises Refused when nothing is left."""
    made = "-".join(re.findall(r"\w+", name.casefold()))
    if not made or made[0].isdecimal():
        raise Refused(f"a name must begin with a letter, not {name!r}")
    return made


def _add(ctx: Context, words: Words) -> None:
    joined = _add_party(ctx, words) if words.take("party") else _add_one(ctx, words)
    come_along(ctx, joined)


def _add_party(ctx: Context, words: Words) -> list[str]:
    """Add everybody of the campaign's party who is not here yet; gives their ids."""
    here = {c.name for c in ctx.state.combatants}
    party = _party(ctx)
    missing = [key for key in party if _from_bestiary(ctx, key)[0] not in here]
    if not missing:
        raise Refused("the party is here already" if party else "the campaign has no party.toml")
    joined = [_add_by_key(ctx, key, words.usage) for key in missing]
    ctx.text = "The party joins"
    return joined


def _party(ctx: Context) -> list[str]:
    return [key for key, row in ctx.tables.bestiary.items() if row.get("kind") == "pc"]


def _add_by_key(ctx: Context, key: str, usage: str = "") -> str:
    words = Words([Word(key)], ctx.state, usage)
    (who,) = _add_one(ctx, words)
    words.finish()
    return who


def is_of_party(tables: Tables, state: Encounter) -> bool:
    """Whether anybody in a fight goes by a name of the campaign's party."""
    rows = tables.bestiary.items()
    party = {str(row.get("name", key.title())) for key, row in rows if row.get("kind") == "pc"}
    return any(who.kind == "pc" and who.name in party for who in state.combatants)


def sheets_of_party(ctx: Context) -> dict[str, Combatant]:
    """Everybody of the campaign's party by id, as they are who have just joined by their sheets."""
    alone = type(ctx)(Encounter(ruleset=ctx.state.ruleset), ctx.ruleset, ctx.dice)
    return {(who := _add_by_key(alone, key)): alone.state[who] for key in _party(ctx)}


def _add_one(ctx: Context, words: Words) -> list[str]:
    """Add one or several of a name; gives their ids."""
    kind = words.take("pc", "monster", "hazard", *ctx.tables.bestiary)
    if not kind:
        raise words.refuse(
            _not_addable(ctx, words), ["pc", "monster", "hazard", *ctx.tables.bestiary]
        )
    text = ""
    if kind in ctx.tables.bestiary:
        text = str(ctx.tables.bestiary[kind].get("text", "")).strip()
        name, kind, row = _from_bestiary(ctx, kind)
        count = _take_count(words)
        name = str(words.next("a name")) if words.take("as") else name
        words.insert(row)
    else:
        name, count = _take_name(words)
        usage = ctx.ruleset.add_usage.get(kind, "NUMBERS...")
        words.usage = f"add {kind} NAME [xN] {usage}"
    hidden = bool(words.take("hidden"))
    side = _take_side(words) or _SIDES[kind]
    stats, tracks = ctx.ruleset.create(ctx, words, kind)
    stats |= {"text": text} if text else {}
    hidden = bool(words.take("hidden")) or hidden
    group = _take_group(ctx, words, name, count)
    added = free_ids(ctx.state, name, count)
    for who, shown in added:
        ctx.emit(Added(who, shown, side, cast(Kind, kind), stats, dict(tracks), hidden))
    people = [who for who, _ in added]
    if group:
        grouping.put_together(ctx, people, group)
    if ctx.state.phase == "combat" and kind != "pc":  # players roll their own
        unknown = (s.who for s in ctx.state.slots if s.who in people and s.initiative is None)
        rolling = groups.leaders(ctx.state, unknown)
        order.give_initiative(ctx, ctx.ruleset.initiative(ctx, rolling, ()))
    joined = listed([shown for _, shown in added], "and")
    together = f" as {groups.name_of(ctx.state, people[0])}" if group else ""
    ctx.text = f"{joined} {'joins' if count == 1 else 'join'}{together}{_uncalled(ctx, people)}"
    return people


def _uncalled(ctx: Context, people: list[str]) -> str:
    """That the initiative of those who join a fight has yet to be called; empty when it hasn't."""
    slots = (ctx.state.slot(who) for who in people)
    unknown = any(s is not None and s.initiative is None and not s.follows for s in slots)
    return ", last until `init` says when" if unknown and ctx.state.phase == "combat" else ""


def _take_group(ctx: Context, words: Words, name: str, count: int) -> str:
    """Read `group [GROUP]`: the group that those who are added make, or join; else empty."""
    if not words.take("group"):
        return ""
    said = grouping.read_name(words)
    if count < 2 and said not in groups.names(ctx.state):
        words.back()
        raise words.refuse("a group takes two or more: say how many, such as x6")
    return said or grouping.free_name(ctx.state, name)


def _not_addable(ctx: Context, words: Words) -> str:
    if words.done:
        return "expected `pc`, `monster`, `hazard` or the name of a creature from the bestiary"
    word = words.upcoming
    near = did_you_mean(word, ["pc", "monster", "hazard", *ctx.tables.bestiary])
    return f"{word!r} is neither pc, monster, hazard nor in the bestiary{near}"


def _from_bestiary(ctx: Context, key: str) -> tuple[str, str, list[Word]]:
    """A creature of the bestiary: its name, its kind, and its row as the words of a command."""
    row = ctx.tables.bestiary[key]
    kind = str(row.get("kind", "monster"))
    if kind not in _SIDES:
        near = did_you_mean(kind, _SIDES) or f": {listed(_SIDES)}"
        raise Refused(f"{key} is of no known kind, {kind!r}{near}")
    words: list[Word] = []
    for stat, value in row.items():
        if stat in ("name", "kind", "text") or value is False:
            continue
        for one in value if _is_list_of_phrases(value) else [value]:
            words.append(Word(stat))
            if isinstance(one, list):
                words.append(Word(",".join(str(part) for part in one)))
            elif one is not True:
                words += split_words(str(one))
    return str(row.get("name", key.title())), kind, words


def _is_list_of_phrases(value: object) -> bool:
    """Whether each part of it stands behind the word anew: attacks do, single words don't."""
    return isinstance(value, list) and any(" " in str(part) for part in value)


def _take_count(words: Words) -> int:
    match = _COUNT.match(words.peek())
    if not match:
        return 1
    words.next("a count")
    count = int(match.group(1))
    if not 1 <= count <= MOST_AT_ONCE:
        raise Refused(f"from 1 to {MOST_AT_ONCE} can be added at once, not {count}")
    return count


def _take_name(words: Words) -> tuple[str, int]:
    """The name: one quoted text, or words up to the count or the first that is lower case."""
    first = words.next("a name")
    parts = [str(first)]
    while not first.quoted and not words.done and words.upcoming[:1].isupper():
        parts.append(str(words.next("a name")))
    name = " ".join(parts)
    if len(name) > 40:
        raise Refused("a name may have at most 40 characters")
    return name, _take_count(words)


def _take_side(words: Words) -> Side | None:
    if not words.take("side"):
        return None
    return cast(Side, words.choice("a side", get_args(Side)))


def free_ids(state: Encounter, name: str, count: int) -> list[tuple[str, str]]:
    """Ids and shown names for `count` of a name. One alone is not numbered unless it must be."""
    base = slug(name)
    taken = {c.id for c in state.combatants} | {s.who for s in state.slots}
    if count == 1 and base not in taken and f"{base}-1" not in taken:
        return [(base, name)]
    found: list[tuple[str, str]] = []
    number = 1
    while len(found) < count:
        if f"{base}-{number}" not in taken:
            found.append((f"{base}-{number}", f"{name} {number}"))
        number += 1
    return found


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
    name = words.rest()
    if not name or len(name) > 40:
        raise words.refuse("expected a new name of 1 to 40 characters")
    ctx.emit(Adjusted(who.id, "name", name))
    ctx.text = f"{who.name} is now called {name}"


def _conceal(ctx: Context, words: Words) -> None:
    for combatant in (people := read_anybody(words)):
        ctx.emit(Revealed(combatant.id, hidden=True))
    ctx.text = f"{they(people, 'is', 'are')} unknown to the players"


def _reveal(ctx: Context, words: Words) -> None:
    for combatant in (people := read_anybody(words)):
        ctx.emit(Revealed(combatant.id))
    ctx.text = f"{they(people, 'is', 'are')} known to the players"


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
    ctx.emit(Changed("", track, value - gm_value(ctx, track), why="by hand"))
    ctx.text = f"GM: {track} is {value}"


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
    return not isinstance(value, list) or all(isinstance(part, str) for part in value)


def _set_track(ctx: Context, words: Words, people: list[Combatant], what: str) -> int:
    rule = ctx.tables.tracks.get(what) or TrackRule(what)
    read = partial(read_sides, words) if rule.shown == "die" else words.number
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
    ctx.emit(*(Adjusted(who.id, what, value) for who in people))
    return value


PEOPLE_VERBS = (
    Verb(
        "add",
        "add pc|monster|hazard NAME [xN] NUMBERS... [group [GROUP]] | "
        "add CREATURE [xN] [group [GROUP]] | add party",
        "adds somebody to the fight, by hand or from the campaign's bestiary",
        _add,
    ),
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
