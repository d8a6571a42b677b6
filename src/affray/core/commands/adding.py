"""`add` and `wave`: who joins the fight, by hand or from the campaign's rows, now or later."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from affray.core.commands import grouping
from affray.core.commands.from_ledger import come_along
from affray.core.commands.joining import (
    LAST_WAVE,
    USAGE,
    Terms,
    take_terms,
    take_text,
    take_wave,
)
from affray.core.commands.numbering import number_for
from affray.core.heart import groups, order
from affray.core.heart.events import Added, Planned, Rolled
from affray.core.heart.state import Combatant, Encounter, Kind, Side, Track
from affray.core.language.ids import id_of
from affray.core.language.refusal import Refused, did_you_mean, listed
from affray.core.language.rows import words_of_row
from affray.core.language.words import Word, Words, as_said, split_words
from affray.core.rules.ruleset import SheetWord, Verb
from affray.core.rules.tables import Tables

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

BENCHED = "benched"
"""The field of a character's row that keeps it out of `add party`."""
SIDES: dict[str, Side] = {"pc": "party", "monster": "foes", "hazard": "world"}


def slug(name: str) -> str:
    """An id made from a name: `Fire Imp` -> `fire-imp`. Raises Refused when nothing is left."""
    made = id_of(name)
    if not made or made[0].isdecimal():
        raise Refused(f"a name must begin with a letter, not {name!r}")
    return made


def _add(ctx: Context, words: Words) -> None:
    wave = take_wave(words, ctx.ruleset.sheet.words(ctx.tables))
    if wave:
        _plan(ctx, words, wave)
    else:
        _add_now(ctx, words)


def _add_now(ctx: Context, words: Words) -> None:
    come_along(ctx, _add_party(ctx, words) if words.take("party") else _add_one(ctx, words))


def _plan(ctx: Context, words: Words, wave: int) -> None:
    """Have somebody wait for a wave: nobody is here, and no dice fall, before it comes.

    What couldn't be done now is refused now. Who waits is kept in the words of `add`, so that a row
    of the bestiary counts as it is when they come.
    """
    adds = as_said(words.words)
    _add_now(ctx.aside(ctx.state), words)
    words.finish()
    ctx.emit(Planned(wave, adds))
    ctx.text = f"Waiting for wave {wave}: {adds}"


def _wave(ctx: Context, words: Words) -> None:
    """Let those join who wait for a wave: for that of a number, or for the next one."""
    waves = ctx.state.waves
    if not waves:
        raise words.refuse("nobody waits: `add ... wave 2` has somebody wait for wave 2")
    wave = min(waves) if words.done else words.number("a wave", 1, LAST_WAVE)
    if wave not in waves:
        known = listed([str(number) for number in sorted(waves)], "and")
        raise words.refuse(f"nobody waits for wave {wave}, but for {known}")
    joined = []
    for adds in waves[wave]:
        line = Words(split_words(adds), ctx.state, words.usage)
        _add(ctx, line)
        line.finish()
        joined.append(ctx.text)
    ctx.emit(Planned(wave, ""))
    ctx.text = f"Wave {wave}: {'; '.join(joined)}"


def _add_party(ctx: Context, words: Words) -> list[str]:
    """Add everybody of the campaign's party who is not here yet, and not benched; gives their ids.

    Raises Refused when there is nobody to add.
    """
    everybody = ctx.tables.party
    if not everybody:
        raise Refused("the campaign has no party.toml")
    party = [key for key, row in everybody.items() if not row.get(BENCHED)]
    here = {c.name for c in ctx.state.combatants}
    missing = [key for key in party if _from_bestiary(ctx, key)[0] not in here]
    if not missing:
        raise Refused("the party is here already" if party else "all of the party are benched")
    joined = [_add_by_key(ctx, key, words.usage) for key in missing]
    ctx.text = "The party joins"
    return joined


def _add_by_key(ctx: Context, key: str, usage: str = "") -> str:
    member = Words([Word(key)], ctx.state, usage)
    (who,) = _add_one(ctx, member)
    member.finish()
    return who


def is_of_party(tables: Tables, state: Encounter) -> bool:
    """Whether anybody of the campaign's party is in a fight, or has been."""
    party = {id_of(tables.name_of(key)) for key in tables.party}
    return any(slot.who in party for slot in state.slots)


def sheets_of_party(ctx: Context) -> dict[str, Combatant]:
    """Everybody of the campaign's party by id, as they are who have just joined by their sheets."""
    alone = ctx.aside(Encounter(ruleset=ctx.state.ruleset))
    return {(who := _add_by_key(alone, key)): alone.state[who] for key in ctx.tables.party}


def _add_one(ctx: Context, words: Words) -> list[str]:
    """Add one or several of a name; gives their ids."""
    key, kind, name, text, row = _read_whom(ctx, words)
    sheet = ctx.ruleset.sheet.words(ctx.tables)
    terms = take_terms(words, sheet)
    typed = words.upcoming
    with _named(key, words, typed):
        usual = _insert_row(ctx, words, row, sheet)
    if terms.called and not row:
        raise words.refuse("`as NAME` gives another name to a creature of the bestiary alone")
    name, hidden = terms.called or name, terms.hidden or usual.hidden
    side = terms.side or usual.side or SIDES[kind]
    added = free_ids(ctx.state, name, terms.count)
    with _named(key, words, typed):
        made = words.for_each(added, lambda _, one: _created(ctx, words, kind, one[0]))
    text = take_text(words) or terms.text or text
    words.offered += terms.unsaid
    group = None if terms.group is None else terms.group or grouping.free_name(ctx.state, name)
    for (who, shown), (stats, tracks, fell) in zip(added, made, strict=True):
        stats |= {"text": text} if text else {}
        number = number_for(ctx.tables, ctx.state, who)
        ctx.emit(Added(who, shown, side, cast(Kind, kind), stats, tracks, hidden, number), *fell)
    people = [who for who, _ in added]
    if group is not None:
        grouping.put_together(ctx, people, group)
    if ctx.state.phase == "combat" and kind != "pc":  # players roll their own
        unknown = (s.who for s in ctx.state.slots if s.who in people and s.initiative is None)
        rolling = groups.leaders(ctx.state, unknown)
        order.give_initiative(ctx, order.initiatives(ctx, rolling))
    joined = listed([shown for _, shown in added], "and")
    together = "" if group is None else f" as {groups.name_of(ctx.state, people[0])}"
    joins = "joins" if terms.count == 1 else "join"
    ctx.text = f"{joined} {joins}{together}{_uncalled(ctx, people)}"
    return people


def _insert_row(ctx: Context, words: Words, row: list[Word], sheet: Sequence[SheetWord]) -> Terms:
    """Have the words of a row read next, before what is typed behind it; gives how those of it
    join. What is typed belongs to none of the row's fields."""
    of_row = Words(row, ctx.state, words.usage)
    usual = take_terms(of_row, sheet)
    words.upcoming.field = True
    words.insert(of_row.words[of_row.at :])
    return usual


@contextmanager
def _named(key: str, words: Words, typed: Word) -> Iterator[None]:
    """Let what is refused of a row of the campaign's name it, and its field: whatever stands before
    the first word that was typed behind it."""
    try:
        yield
    except Refused as refusal:
        is_typed = any(word is typed for word in words.words[: words.at + 1])
        if not key or is_typed:
            raise
        field = refusal.field
        raise Refused(
            f"{', '.join(filter(None, (key, field)))}: {refusal.bare}", row=key, field=field
        ) from None


def _read_whom(ctx: Context, words: Words) -> tuple[str, str, str, str, list[Word]]:
    """Read who is added, by hand or as a creature of the bestiary: the id of its row, if there is
    one, the kind, the name, what the row tells of them, and the rest of it as words."""
    rows = ctx.tables.bestiary
    said = words.take(*SIDES, *rows)
    if not said:
        raise words.refuse(_not_addable(ctx, words), [*SIDES, *rows])
    if said in rows:
        name, kind, row = _from_bestiary(ctx, said)
        words.usage = f"add {said} [xN] [as NAME] {USAGE}"
        return said, kind, name, str(rows[said].get("text", "")).strip(), row
    name = take_name(words)
    usage = " ".join(ctx.ruleset.sheet.usage(ctx.tables, said))
    words.usage = f"add {said} NAME [xN] {usage} {USAGE}"
    return "", said, name, "", []


def _created(
    ctx: Context, words: Words, kind: str, who: str
) -> tuple[dict[str, object], dict[str, Track], list[Rolled]]:
    """Stats and tracks of one of those who are added, and the dice that fell for it alone."""
    stats, tracks = ctx.ruleset.create(ctx, words, kind)
    fell, ctx.fell = [replace(each, who=who) for each in ctx.fell], []
    return stats, tracks, fell


def _uncalled(ctx: Context, people: list[str]) -> str:
    """That the initiative of those who join a fight has yet to be called; empty when it hasn't."""
    slots = (ctx.state.slot(who) for who in people)
    unknown = any(s is not None and s.initiative is None and not s.follows for s in slots)
    return "; initiative not called yet: `init`" if unknown and ctx.state.phase == "combat" else ""


def _not_addable(ctx: Context, words: Words) -> str:
    if words.done:
        return "expected `pc`, `monster`, `hazard` or the name of a creature from the bestiary"
    word = words.upcoming
    near = did_you_mean(word, [*SIDES, *ctx.tables.bestiary])
    return f"{word!r} is neither pc, monster, hazard nor in the bestiary{near}"


def _from_bestiary(ctx: Context, key: str) -> tuple[str, str, list[Word]]:
    """A creature of the bestiary: its name, its kind, and its row as the words of a command."""
    row = ctx.tables.bestiary[key]
    kind = str(row.get("kind", "monster"))
    if kind not in SIDES:
        near = did_you_mean(kind, SIDES) or f": {listed(SIDES)}"
        raise Refused(f"{key} is of no known kind, {kind!r}{near}", row=key, field="kind")
    words = words_of_row(row, ("name", "kind", "text", BENCHED))
    return ctx.tables.name_of(key), kind, words


def take_name(words: Words) -> str:
    """The name: one quoted text, or words up to the first that is lower case."""
    words.refuse_open_quote()
    first = words.next("a name")
    parts = [str(first)]
    while not first.quoted and not words.done and words.upcoming[:1].isupper():
        parts.append(str(words.next("a name")))
    name = " ".join(parts)
    if len(name) > 40:
        raise Refused("a name may have at most 40 characters")
    return name


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


ADD_VERBS = (
    Verb(
        "add",
        f"add pc|monster|hazard NAME [xN] [text TEXT] NUMBERS... {USAGE} | "
        f"add CREATURE [xN] [as NAME] {USAGE} | add party",
        "adds somebody to the fight, by hand or from the campaign's bestiary, or to a wave",
        _add,
    ),
    Verb("wave", "wave [N]", "has those join who wait for the next wave, or for that one", _wave),
)
