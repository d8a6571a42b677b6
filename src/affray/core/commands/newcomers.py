"""Commands that bring combatants into a fight, or back into it: add, wave.

`add` brings in rows of the campaign's bestiary and party, the party's with the HP, marks and uses
that the campaign's ledger has. Start with `_add`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import cast

from msgspec.structs import replace

from affray.core.commands import join_terms, turn_order
from affray.core.commands.combatants import LONGEST_NAME, write_number
from affray.core.engine import events, turn_order as groups
from affray.core.engine.durations import has_passed
from affray.core.engine.effects import remove_effect
from affray.core.engine.history import EarlierEntry, OtherLog, earlier_entries
from affray.core.engine.initiative import initiatives, set_initiative
from affray.core.engine.ledger import (
    THE_LEDGER,
    last_sheet_of,
    ledger_events,
    ledger_import_of,
    state_as_left,
    was_absent,
)
from affray.core.engine.state import Combatant, Encounter, Kind, Side, Track
from affray.core.formatting.safe_text import to_id
from affray.core.parser.errors import Refused, did_you_mean, join_or
from affray.core.parser.prompt_fields import Field
from affray.core.parser.spelling import fold
from affray.core.parser.tokens import Token, TokenStream, join_tokens, tokenize, words_of_row
from affray.core.rules.ruleset import Command, Context, SheetField
from affray.core.rules.tables import Tables, TrackRow

# -------------------------------------------------------------------------------------------------
# The party joins with the HP, marks and uses that the campaign's ledger has of it.


def import_joined(ctx: Context, joined: Iterable[str]) -> None:
    """Bring characters who have just joined to where the ledger has them.

    The GM's tracks are imported as well, except those that this fight has already.
    """
    coming = {
        combatant_id: ctx.state[combatant_id]
        for combatant_id in joined
        if ctx.state[combatant_id].kind == "pc"
    }
    ledger = ctx.other_logs.ledger() if coming else None
    if ledger is None or not any(ledger.state.find(combatant_id) for combatant_id in coming):
        return
    odd = rules_differ(ctx.state, ledger)
    if odd:
        ctx.note(f"{odd}: nothing carries over here")
        return
    wanted = state_as_left(ctx.ruleset, ctx.state, coming, ledger, ledger.state, {})
    wanted = replace(wanted, tracks={**wanted.tracks, **ctx.state.tracks})
    import_from_ledger(ctx, ledger, wanted)


def rules_differ(state: Encounter, other: OtherLog) -> str:
    """Say that another log is played by another game, so that its numbers don't fit; else empty."""
    theirs = other.state.ruleset
    if theirs == state.ruleset:
        return ""
    return f"{other.title} uses {theirs}, and this fight {state.ruleset}"


def require_same_rules(state: Encounter, other: OtherLog) -> None:
    """Raise Refused for a log that is played by another game."""
    odd = rules_differ(state, other)
    if odd:
        raise Refused(f"{odd}: nothing can carry over between them")


def import_from_ledger(ctx: Context, ledger: OtherLog, wanted: Encounter) -> None:
    """Change this fight to the state `wanted`, with a note on each character's state."""
    was = ctx.state
    ctx.emit(events.LedgerImported(ledger.log, ledger.history.head, ledger.title))
    ctx.emit(
        *(_as_routine(event) for event in ledger_events(was, wanted, f"as {THE_LEDGER} has it"))
    )
    ctx.emit(*_notes_of_changes(ctx.tables, was, ctx.state))


def _as_routine(event: events.AnyEvent) -> events.AnyEvent:
    """Mark a track's change as routine: notes tell of all together (`_notes_of_changes`)."""
    return replace(event, routine=True) if isinstance(event, events.TrackChanged) else event


def _notes_of_changes(tables: Tables, was: Encounter, now: Encounter) -> Iterator[events.NoteAdded]:
    """Yield `Mira comes with 18 of 30 HP, 2 fatigue` for each combatant that has changed."""
    for combatant in now.combatants:
        old = was.find(combatant.id)
        what = _changed_tracks(tables, old.tracks, combatant.tracks) if old is not None else []
        if what:
            yield events.NoteAdded(f"comes with {', '.join(what)}", combatant.id, goes_on=True)
    gm = _changed_tracks(tables, was.tracks, now.tracks)
    if gm:
        yield events.NoteAdded(f"the GM has {', '.join(gm)}")


def _changed_tracks(
    tables: Tables, old: Mapping[str, Track], now: Mapping[str, Track]
) -> list[str]:
    """Tracks that changed, in words."""
    return [
        _format_track(tables.track(name), track)
        for name, track in now.items()
        if track != old.get(name)
    ]


def _format_track(rule: TrackRow, track: Track) -> str:
    """`18 of 30 HP`, `2 fatigue`, `spellburn die d6`."""
    label = rule.in_a_sentence
    if rule.shown == "die":
        return f"{label} d{track.value}" if track.value else f"no {label}"
    top = f" of {track.max}" if track.max is not None and rule.counts == "left" else ""
    return f"{track.value}{top} {label}"


def last_import(previous: EarlierEntry | None) -> int:
    """Return the ledger's entry of the last import into this fight; 0 for none."""
    imports = (ledger_import_of(each.entry) for each in earlier_entries(previous))
    return next((carried.entry for carried in imports if carried is not None), 0)


# -------------------------------------------------------------------------------------------------
# `add` and `wave`: combatants typed by hand or taken from the campaign's rows, now or later.

BACK = "back"
"""The word of `add` before somebody who left and comes back."""
BENCHED = "benched"
"""The field of a character's row that keeps it out of `add party`."""
PICTURE = "picture"
"""The field of a row that names the file of a picture, in the campaign's folder."""
SIDES: dict[str, Side] = {"pc": "party", "monster": "foes", "hazard": "world"}


def slug(name: str) -> str:
    """Make an id from a name: `Fire Imp` -> `fire-imp`.

    Raises Refused for a name that doesn't begin with a letter.
    """
    word = to_id(name)
    if not word or word[0].isdecimal():
        raise Refused(f"a name must begin with a letter, not {name!r}")
    return word


def _add(ctx: Context, tokens: TokenStream) -> None:
    may_be_wave = any(word.casefold() == "wave" for word in tokens.words)
    wave = may_be_wave and join_terms.take_wave(tokens, ctx.ruleset.sheet.fields(ctx.tables))
    if wave:
        _plan_wave(ctx, tokens, wave)
    else:
        _add_now(ctx, tokens)


def _add_now(ctx: Context, tokens: TokenStream) -> None:
    joined = _add_party(ctx, tokens) if tokens.take("party") else _add_one(ctx, tokens)
    back = {event.who for event in ctx.events if isinstance(event, events.Returned)}
    import_joined(ctx, (combatant_id for combatant_id in joined if combatant_id not in back))


def _plan_wave(ctx: Context, tokens: TokenStream, wave: int) -> None:
    """Keep a line of `add` for a wave: nobody joins, and no dice fall, before it comes.

    The line is tried now, to refuse it early. Only its words are kept, so that a row of the
    bestiary counts as it is when the wave comes.
    """
    adds = join_tokens(tokens.words)
    _add_now(ctx.aside(ctx.state), tokens)
    tokens.finish()
    ctx.emit(events.WavePlanned(wave, adds))
    ctx.text = f"Waiting for wave {wave}: {adds}"


def _wave(ctx: Context, tokens: TokenStream) -> None:
    """Let a wave join: the one with the given number, or the next."""
    waves = ctx.state.waves
    if not waves:
        raise tokens.refuse("no wave is waiting: `add ... wave 2` puts somebody in wave 2")
    wave = min(waves) if tokens.done else tokens.number("a wave", 1, join_terms.LAST_WAVE)
    if wave not in waves:
        planned = join_or([str(number) for number in sorted(waves)], "and")
        raise tokens.refuse(f"wave {wave} is empty; waiting: {planned}")
    joined = []
    for adds in waves[wave]:
        line = TokenStream(tokenize(adds), ctx.state, tokens.usage)
        _add(ctx, line)
        line.finish()
        joined.append(ctx.text)
    ctx.emit(events.WavePlanned(wave, ""))
    ctx.text = f"Wave {wave}: {'; '.join(joined)}"


def _add_party(ctx: Context, tokens: TokenStream) -> list[str]:
    """Add the campaign's characters who are neither here nor benched; return their ids.

    Raises Refused when there is nobody to add.
    """
    everybody = ctx.tables.party
    if not everybody:
        raise Refused("the campaign has no party.toml")
    party = [key for key, row in everybody.items() if not row.get(BENCHED)]
    missing = [key for key in party if not is_here(ctx.state, ctx.tables.name_of(key))]
    if not missing:
        raise Refused(
            "the party is here already"
            if party
            else "everybody in the party is benched: `add NAME` adds one"
        )
    joined = [_add_by_key(ctx, key, tokens.usage) for key in missing]
    ctx.text = "The party joins"
    return joined


def _add_by_key(ctx: Context, key: str, usage: str = "") -> str:
    member = TokenStream([Token(key)], ctx.state, usage)
    (combatant_id,) = _add_one(ctx, member)
    member.finish()
    return combatant_id


def is_here(state: Encounter, name: str) -> bool:
    """True if the character with that name on the sheet is in the fight, even if renamed there."""
    character = state.character(to_id(name))
    return character is not None or any(combatant.name == name for combatant in state.combatants)


def has_party_member(tables: Tables, state: Encounter) -> bool:
    """True if anybody of the campaign's party is in a fight, or has been."""
    party = {to_id(tables.name_of(key)) for key in tables.party}
    return any(slot.who in party for slot in state.slots)


def sheets_of_party(ctx: Context) -> dict[str, Combatant]:
    """Return the campaign's party by id, as on its sheets: with all HP and no marks."""
    alone = ctx.aside(Encounter(ruleset=ctx.state.ruleset))
    return {
        (combatant_id := _add_by_key(alone, key)): alone.state[combatant_id]
        for key in ctx.tables.party
    }


def _add_one(ctx: Context, tokens: TokenStream) -> list[str]:
    """Add one or several of a name, or bring back who left; return their ids."""
    sheet = ctx.ruleset.sheet.fields(ctx.tables)
    gone = _take_gone(ctx, tokens)
    if gone is not None:
        return _bring_back(ctx, tokens, gone, join_terms.take_terms(tokens, sheet))
    key, kind, name, text, row = _read_whom(ctx, tokens)
    terms = join_terms.take_terms(tokens, sheet)
    gone = _who_left(ctx, key, kind, name, terms)
    if gone is not None:
        return _bring_back(ctx, tokens, gone, terms, is_sheet=not key)
    typed = tokens.upcoming
    with _naming_row(key, tokens, typed):
        usual = _insert_row(ctx, tokens, row, sheet)
    if terms.called and not row:
        raise tokens.refuse("`as NAME` renames only creatures from the bestiary")
    name, hidden = terms.called or name, terms.hidden or usual.hidden
    side = terms.side or usual.side or SIDES[kind]
    added = free_ids(ctx.state, name, terms.count)
    with _naming_row(key, tokens, typed):
        created = tokens.for_each(added, lambda _, one: _create_one(ctx, tokens, kind, one[0]))
    text = join_terms.parse_description(tokens) or terms.text or text
    picture = _picture_of(ctx.tables, key)
    tokens.offered += terms.still_open
    group = None if terms.group is None else terms.group or turn_order.free_name(ctx.state, name)
    for (combatant_id, shown), (stats, tracks, rolls) in zip(added, created, strict=True):
        stats |= {"text": text} if text else {}
        stats |= {PICTURE: picture} if picture else {}
        number = join_terms.number_for(ctx.tables, ctx.state, combatant_id)
        ctx.emit(
            events.Added(
                combatant_id, shown, side, cast(Kind, kind), stats, tracks, hidden, number
            ),
            *rolls,
        )
    people = [combatant_id for combatant_id, _ in added]
    if group is not None:
        turn_order.put_together(ctx, people, group)
    _place_in_order(ctx, people, kind)
    joined = join_or([shown for _, shown in added], "and")
    together = "" if group is None else f" as {groups.row_label(ctx.state, people[0])}"
    joins = "joins" if terms.count == 1 else "join"
    ctx.text = f"{joined} {joins}{together}{_uncalled_note(ctx, people)}"
    return people


def _place_in_order(ctx: Context, people: Sequence[str], kind: str) -> None:
    """Roll the initiative of those who join in mid-fight without one; players roll their own."""
    if ctx.state.in_combat and kind != "pc":
        unknown = (s.who for s in ctx.state.slots if s.who in people and s.initiative is None)
        set_initiative(ctx, initiatives(ctx, groups.leaders(ctx.state, unknown)))


def _take_gone(ctx: Context, tokens: TokenStream) -> Combatant | None:
    """Take `back NAME`, or the name or id of somebody who left; None if neither stands next.

    An id that is also a row's means the row: the kind's name brings another of that kind.
    """
    rows, gone = ctx.tables.bestiary, {c.id: c for c in ctx.state.gone}
    by_name = {fold(c.name): c for c in reversed(ctx.state.gone)}
    if BACK not in rows and (gone or tokens.peek() == BACK) and tokens.take(BACK):
        word = tokens.next("somebody who left the fight", gone)
        found = gone.get(word.casefold()) or by_name.get(fold(word))
        if found is None:
            tokens.back()
            near = did_you_mean(word, [*gone]) or (f": {join_or([*gone])} did" if gone else "")
            raise tokens.refuse(f"nobody called {word!r} has left{near}", [*gone])
        return found
    if not tokens.done and tokens.upcoming.quoted:
        found = by_name.get(fold(tokens.upcoming))
        return found if found is not None and tokens.next("a name") else None
    return gone.get(tokens.take(*(i for i in gone if i not in rows and i not in SIDES)))


def _who_left(
    ctx: Context, key: str, kind: str, name: str, terms: join_terms.Terms
) -> Combatant | None:
    """Find who left among those of a kind and of exactly that name; None for a new one.

    A character is one alone. Of monsters a name with a number, or one given by `as`, is somebody's;
    any other is their kind's, of which there may be more.
    """
    called = terms.called or name
    is_own = kind == "pc" or bool(terms.called and key) or called[-1:].isdigit()
    if terms.count > 1 or not is_own or (kind == "pc" and key and terms.called):
        return None
    named = (c for c in ctx.state.gone if c.kind == kind)
    return next((c for c in named if c.name == called or c.id == to_id(called)), None)


def _bring_back(
    ctx: Context,
    tokens: TokenStream,
    gone: Combatant,
    terms: join_terms.Terms,
    is_sheet: bool = False,
) -> list[str]:
    """Bring somebody back as they left, without ended effects, with the typed numbers. Somebody who
    was only absent comes as the ledger has them now. `is_sheet` is True if the typed words are a
    whole sheet, as for somebody new.
    """
    if terms.count > 1:
        raise tokens.refuse(f"there is only one {gone.name}")
    hidden = gone.hidden or terms.hidden
    ctx.emit(events.Returned(gone.id, hidden))
    for effect in gone.effects:
        if has_passed(ctx.state, effect.until):
            remove_effect(ctx, gone.id, effect.id, "already over")
    if was_absent(ctx.previous, gone.id):
        import_joined(ctx, [gone.id])
    if terms.side:
        ctx.emit(events.StatChanged(gone.id, "side", terms.side))
    if not tokens.done:
        _overrule(ctx, tokens, gone.id, is_sheet)
    text = join_terms.parse_description(tokens) or terms.text
    if text:
        ctx.emit(events.StatChanged(gone.id, "text", text))
    if terms.group:
        turn_order.put_together(ctx, [gone.id], terms.group)
    _place_in_order(ctx, [gone.id], gone.kind)
    health = ctx.tables.health
    now = ctx.state[gone.id].tracks.get(health)
    left = f" with {_format_track(ctx.tables.track(health), now)}" if now is not None else ""
    ctx.text = f"{gone.name} comes back{left}{_uncalled_note(ctx, [gone.id])}"
    return [gone.id]


def _overrule(ctx: Context, tokens: TokenStream, combatant_id: str, is_sheet: bool) -> None:
    """Replace the numbers of somebody who comes back by typed ones."""
    sheet = last_sheet_of(ctx.previous, combatant_id) if is_sheet else None
    if sheet is None:
        for name, typed in ctx.ruleset.sheet.read_fields(ctx, tokens):
            write_number(
                ctx, TokenStream([Token(combatant_id), *tokenize(f"{name} {typed}")], ctx.state)
            )
        return
    words = TokenStream(tokens.words[tokens.at :], ctx.state, tokens.usage)
    names = {name for name, _ in ctx.ruleset.sheet.read_fields(ctx, words)}
    back = ctx.state[combatant_id]
    stats, tracks, rolls = _create_one(ctx, tokens, back.kind, combatant_id)
    differing = {stat: value for stat, value in stats.items() if value != sheet.stats.get(stat)}
    written = {name: track for name, track in tracks.items() if name in names}
    ctx.emit(
        *rolls,
        *(events.StatChanged(combatant_id, stat, value) for stat, value in differing.items()),
        *(
            events.TrackChanged(
                combatant_id, name, track.value - back.track(name), track.max, "by hand"
            )
            for name, track in written.items()
        ),
    )
    ctx.ruleset.state.on_edited_by_hand(ctx, combatant_id)


def _insert_row(
    ctx: Context, tokens: TokenStream, row: list[Token], sheet: Sequence[SheetField]
) -> join_terms.Terms:
    """Insert a row's words before those typed after its name; return the row's own terms."""
    of_row = TokenStream(row, ctx.state, tokens.usage)
    usual = join_terms.take_terms(of_row, sheet)
    tokens.upcoming.field = True  # the typed words belong to none of the row's fields
    tokens.insert(of_row.words[of_row.at :])
    return usual


@contextmanager
def _naming_row(key: str, tokens: TokenStream, typed: Token) -> Iterator[None]:
    """Add a row's key and field to refusals of its words; those from `typed` on were typed."""
    try:
        yield
    except Refused as refusal:
        is_typed = any(word is typed for word in tokens.words[: tokens.at + 1])
        if not key or is_typed:
            raise
        field = refusal.field
        raise Refused(
            f"{', '.join(filter(None, (key, field)))}: {refusal.bare}", row=key, field=field
        ) from None


def _read_whom(ctx: Context, tokens: TokenStream) -> tuple[str, str, str, str, list[Token]]:
    """Read whom `add` names, by hand or from the bestiary.

    Returns the row's id, the kind, the name, the row's description and its other fields as words;
    id, description and words are empty for one added by hand.
    """
    rows = ctx.tables.bestiary
    word = _take_written_name(rows, tokens) or tokens.take(*SIDES, *rows)
    if not word:
        raise tokens.refuse(_why_not_addable(ctx, tokens), [*SIDES, *rows])
    if word in rows:
        name, kind, row = _from_bestiary(ctx, word)
        tokens.usage = f"add {word} [xN] [as NAME] {join_terms.USAGE}"
        return word, kind, name, str(rows[word].get("text", "")).strip(), row
    name = take_name(tokens)
    usage = " ".join(ctx.ruleset.sheet.usage(ctx.tables, word))
    tokens.usage = f"add {word} NAME [xN] {usage} {join_terms.USAGE}"
    return "", word, name, "", []


def _take_written_name(rows: Collection[str], tokens: TokenStream) -> str:
    """The row whose name comes next as its file has it, in quotes or with signs in it: `Hawk
    (XMM)`, `Underboss [2024]`, `Ape, Giant`. Empty for none; the longest name counts."""
    words = tokens.words[tokens.at : tokens.at + MOST_WORDS]
    for count in range(len(words), 0, -1):
        name = " ".join(words[:count])
        is_written = words[0].quoted or re.search(r"[^\w\s-]|^\d", name) is not None
        written = _ids_of(name, words[0].quoted and count == 1) if is_written else ()
        if word := next((each for each in written if each in rows), ""):
            tokens.at += count
            return word
    return ""


def _ids_of(name: str, whole: bool) -> Iterator[str]:
    """The ids that a row of that name may have: one that begins with a number has a word before
    it, and a long one, which is `whole` in quotes, is cut."""
    yield to_id(name)
    if name[:1].isdigit():
        yield to_id(f"the {name}")
    if whole and len(name) > LONGEST_NAME:
        yield to_id(name[: LONGEST_NAME - 1].rstrip())


MOST_WORDS = 14
"""The most words of a row's name, as in its file."""


def _create_one(
    ctx: Context, tokens: TokenStream, kind: str, combatant_id: str
) -> tuple[dict[str, object], dict[str, Track], list[events.Rolled]]:
    """Create one combatant: its stats, its tracks, and the dice that fell for it."""
    stats, tracks = ctx.ruleset.sheet.create(ctx, tokens, kind)
    rolls, ctx.rolls = [replace(each, who=combatant_id) for each in ctx.rolls], []
    return stats, tracks, rolls


def _uncalled_note(ctx: Context, people: list[str]) -> str:
    """A note that the initiative of those who join has yet to be called; empty if it is known."""
    slots = (ctx.state.slot(combatant_id) for combatant_id in people)
    unknown = any(s is not None and s.initiative is None and not s.follows for s in slots)
    return "; initiative not called yet: `init`" if unknown and ctx.state.in_combat else ""


def _why_not_addable(ctx: Context, tokens: TokenStream) -> str:
    if tokens.done:
        return "expected `pc`, `monster`, `hazard` or the name of a creature from the bestiary"
    word = tokens.upcoming
    near = did_you_mean(word, [*SIDES, *ctx.tables.bestiary])
    return f"{word!r} is neither pc, monster, hazard nor in the bestiary{near}"


def _from_bestiary(ctx: Context, key: str) -> tuple[str, str, list[Token]]:
    """The name and kind of a creature of the bestiary, and its row as words of a command."""
    row = ctx.tables.bestiary[key]
    kind = str(row.get("kind", "monster"))
    if kind not in SIDES:
        near = did_you_mean(kind, SIDES) or f": {join_or(SIDES)}"
        raise Refused(f"{key} has an unknown kind, {kind!r}{near}", row=key, field="kind")
    words = words_of_row(row, ("name", "kind", "text", PICTURE, BENCHED))
    return ctx.tables.name_of(key), kind, words


def try_row(ctx: Context, key: str) -> None:
    """Raise Refused for a row whose words are no sheet, without adding anybody.

    It is faster than `add`, which refuses hardly anything else.
    """
    _, kind, words = _from_bestiary(ctx, key)
    tokens = TokenStream(words, ctx.state)
    join_terms.take_terms(tokens, ctx.ruleset.sheet.fields(ctx.tables))
    _create_one(ctx, tokens, kind, key)
    tokens.finish()
    _picture_of(ctx.tables, key)


def _picture_of(tables: Tables, key: str) -> str:
    """The file of a row's picture; empty without one, or without a row. Raises Refused if it isn't
    a text."""
    value = tables.bestiary[key].get(PICTURE, "") if key else ""
    if not isinstance(value, str):
        what = f"{key}, {PICTURE}: expected a file name in quotes, found {value!r}"
        raise Refused(what, row=key, field=PICTURE)
    return value


def take_name(tokens: TokenStream) -> str:
    """Read a name: one quoted text, or words up to the first in lower case."""
    tokens.refuse_open_quote()
    first = tokens.next("a name")
    parts = [str(first)]
    while not first.quoted and not tokens.done and tokens.upcoming[:1].isupper():
        parts.append(str(tokens.next("a name")))
    name = " ".join(parts)
    if len(name) > LONGEST_NAME:
        raise Refused(f"a name may have at most {LONGEST_NAME} characters")
    return name


def free_ids(state: Encounter, name: str, count: int) -> list[tuple[str, str]]:
    """Return free ids and names for `count` combatants. A single one gets a number only beside
    another of exactly that name, so not ZOE beside Zoe. Beside Ghost, who keeps that name, the next
    one is Ghost 2."""
    base = slug(name)
    taken = {c.id for c in state.combatants} | {s.who for s in state.slots}
    alike = [state.find(each) for each in (base, f"{base}-1") if each in taken]
    if count == 1 and not alike:
        return [(base, name)]
    first = 2 if base in taken else 1
    free = (number for number in itertools.count(first) if f"{base}-{number}" not in taken)
    is_new = all(c is not None and to_id(c.name) == base for c in alike) and not any(
        c.name in (name, f"{name} 1") for c in state.combatants
    )
    if count == 1 and is_new:
        return [(base if base not in taken else f"{base}-{next(free)}", name)]
    return [(f"{base}-{n}", f"{name} {n}") for n in itertools.islice(free, count)]


ADD_COMMANDS = (
    Command(
        "add",
        f"add pc|monster|hazard NAME [xN] [text TEXT] NUMBERS... {join_terms.USAGE} | "
        f"add CREATURE [xN] [as NAME] {join_terms.USAGE} | add back NAME | add party",
        "adds somebody to the fight, by hand or from the campaign's bestiary, or to a wave",
        _add,
        fields={"line": Field("line")},
    ),
    Command("wave", "wave [N]", "brings in the next wave, or wave N", _wave),
)
