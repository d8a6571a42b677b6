"""The lists of party and bestiary: to edit a row in a form, and to add combatants to a fight."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

from rich.style import Style

from affray.core.commands.join_terms import TERMS, USAGE, parse_description
from affray.core.commands.newcomers import BACK, BENCHED, PICTURE, SIDES, is_here
from affray.core.commands.queries import party_alone
from affray.core.commands.save_to_roster import fields_of
from affray.core.dice import SeededDice
from affray.core.engine.decide import decide
from affray.core.engine.effects import effect_name
from affray.core.engine.state import Combatant, Encounter
from affray.core.formatting.safe_text import to_id
from affray.core.late_pattern import late_pattern
from affray.core.parser.errors import Refused, did_you_mean, join_or
from affray.core.parser.search import SearchKey, search, search_key
from affray.core.parser.spelling import fold
from affray.core.parser.tokens import TokenStream, tokenize
from affray.core.rules.reference import BESTIARY, PARTY, CreatureEntry, campaign_creatures
from affray.core.rules.ruleset import Context, NumberRules, Ruleset, SheetField, applies_to_kind
from affray.core.rules.tables import Tables
from affray.tui.drawing import StyledLine, flow_items, truncate
from affray.tui.lookup import model
from affray.tui.lookup.reference import is_broken, stat_block_lines
from affray.tui.theme import Styles

KINDS = {PARTY: "pc", BESTIARY: "monster"}
NOBODY = "Nobody yet: type a name"
SHORT = 40
"""The longest part of a usage that shares its line with others, in characters."""


class NewRosterEntry(NamedTuple):
    """A character or creature to create: its name, and `party` or `bestiary`."""

    name: str
    where: str


class RosterList(model.LookupSource[CreatureEntry | NewRosterEntry]):
    """The rows of party and bestiary, found by any of their words.

    where  the file whose rows come first and that gets new ones: `party` or `bestiary`
    """

    NAME = "Party and bestiary"
    KEY = "people"
    TAKES = "edits, or makes a new one"

    def __init__(self, ruleset: Ruleset, where: str) -> None:
        self.ruleset, self.where = ruleset, where
        tables, nobody = ruleset.tables, Encounter()
        rows = sorted(campaign_creatures(tables), key=lambda row: row.sort != where)
        self._rows_by_name: list[tuple[SearchKey, CreatureEntry | NewRosterEntry]] = [
            (search_key(row.name, row.words(tables, nobody)), row) for row in rows
        ]

    def rows(self, query: str) -> Sequence[CreatureEntry | NewRosterEntry | str]:
        """The rows with a matching name, a new row of the typed name, then those matching
        elsewhere."""
        new = self.new(query)
        fit = search(self._rows_by_name, query)
        if not new.name:
            return fit or [NOBODY]
        words = fold(new.name).split()
        named: list[CreatureEntry | NewRosterEntry] = []
        others: list[CreatureEntry | NewRosterEntry] = []
        for row in fit:
            is_named = all(word in fold(row.name) for word in words)
            (named if is_named else others).append(row)
        return [*named, new, *others]

    def new(self, query: str) -> NewRosterEntry:
        """The row that creates somebody of the typed name."""
        return NewRosterEntry(" ".join(query.split()), self.where)

    def at_key(
        self, key: str, rows: Sequence[CreatureEntry | NewRosterEntry | str], otherwise: int
    ) -> int:
        """The index of the creature with that id; `otherwise` if it isn't listed."""
        present = (
            n for n, row in enumerate(rows) if isinstance(row, CreatureEntry) and row.id == key
        )
        return next(present, otherwise)

    def fill(
        self,
        line: StyledLine,
        row: CreatureEntry | NewRosterEntry,
        width: int,
        inks: Styles,
        chosen: bool,
    ) -> StyledLine:
        """`› Mira   benched   party`"""
        if isinstance(row, NewRosterEntry):
            return line.add(truncate(f"+ new: {row.name}", width - 2), inks.good)
        line.add(
            truncate(row.name, max(width - 22, 8)),
            inks.strong if chosen else inks.plain,
        )
        tables = self.ruleset.tables
        benched = BENCHED if tables.bestiary[row.id].get(BENCHED) else ""
        line.column(max(width - 18, 12)).add(benched, inks.warn)
        line.add("" if benched else _rating(tables, row.id), inks.dim)
        return line.column(max(width - 9, 20)).add(row.sort, inks.dim)

    def render_detail(
        self, row: CreatureEntry | NewRosterEntry, width: int, inks: Styles
    ) -> list[StyledLine]:
        """The stat block; for a new row the fields that it can have."""
        if isinstance(row, CreatureEntry):
            return stat_block_lines(self.ruleset, Encounter(), row, width, inks)
        tables, kind = self.ruleset.tables, KINDS[row.where]
        words = self.ruleset.sheet.fields(tables)
        others = [w.name for w in words if not w.usual and applies_to_kind(w.of, kind)]
        asks = f"↵ asks for the numbers of {row.name} in one line:"
        return [
            *model.wrapped_lines([asks], width, inks.dim),
            *_parts(["[text TEXT]", *self.ruleset.sheet.usage(tables, kind)], width, inks.plain),
            *(
                model.wrapped_lines([f"and {join_or(others, 'or')}"], width, inks.dim)
                if others
                else ()
            ),
        ]


def _parts(usages: Sequence[str], width: int, ink: Style) -> list[StyledLine]:
    """The parts of a usage side by side; long ones wrapped on lines of their own."""
    short = [StyledLine().add(part, ink) for part in usages if len(part) <= SHORT]
    lines = flow_items(short, width)
    for part in usages:
        if len(part) > SHORT:
            first, *rest = model.wrapped_lines([part], width - 2, ink)
            lines += [first, *(StyledLine().column(2).join(row) for row in rest)]
    return lines


# -------------------------------------------------------------------------------------------------
# The form: a line for each word of the game's sheet

NAME_CELLS = 20
OWN = ("name", "kind", "text", PICTURE, BENCHED)
"""The fields of every row that belong to no game's sheet."""
Row = dict[str, Any]


class FormField(NamedTuple):
    """A line of the form.

    name     the name of the field
    value    its value as it is typed; empty if the row lacks the field
    expects  a description of the values that it takes
    at       the index among several values of the field; their number for a new one
    """

    name: str
    value: str
    expects: str
    at: int = 0


class RosterForm(model.LookupSource[FormField]):
    """The fields of one row, those with a value first; searched by name."""

    NAME = "Edit"
    KEY = "edit"
    TAKES = "edits"

    def __init__(self, ruleset: Ruleset, creature: CreatureEntry, row: Row) -> None:
        self.ruleset, self.creature, self.row = ruleset, creature, row
        self._rows_by_name = [
            (search_key(f.name, (f.value,)), f) for f in form_fields(ruleset, creature, row)
        ]

    def rows(self, query: str) -> Sequence[FormField | str]:
        """The fields that match by name, then by value."""
        return search(self._rows_by_name, query)

    def fill(
        self, line: StyledLine, row: FormField, width: int, inks: Styles, chosen: bool
    ) -> StyledLine:
        """`› ac   18`"""
        ink = inks.strong if row.value else inks.dim
        line.add(truncate(row.name, NAME_CELLS), ink).column(NAME_CELLS + 3)
        return line.add(truncate(row.value, max(width - NAME_CELLS - 3, 0)), inks.plain)

    def render_detail(self, row: FormField, width: int, inks: Styles) -> list[StyledLine]:
        """A description of the field, then the stat block as it stands."""
        words = model.wrapped_lines([f"{row.name}: {row.expects}"], width, inks.accent)
        block = stat_block_lines(self.ruleset, Encounter(), self.creature, width, inks)
        return [*words, StyledLine(), *block]


def form_fields(ruleset: Ruleset, creature: CreatureEntry, row: Row) -> list[FormField]:
    """The lines of the form for a row: fields with a value, then the others that its kind can
    have."""
    own = [FormField("name", str(row.get("name", "")), "its name")]
    rest = [
        FormField("text", str(row.get("text", "")), "a description, for its card"),
        FormField(PICTURE, str(row.get(PICTURE, "")), "a file in the campaign's folder"),
    ]
    if creature.sort == PARTY:
        benched = "yes" if row.get(BENCHED) else ""
        expects = "yes if `add party` leaves them out: enter changes it"
        rest.append(FormField(BENCHED, benched, expects))
    else:
        rest.append(
            FormField("kind", str(row.get("kind", "")), f"{join_or(SIDES)}; else a monster")
        )
    kind = "pc" if creature.sort == PARTY else str(row.get("kind", "monster"))
    sheet = [
        field
        for word in ruleset.sheet.fields(ruleset.tables)
        if applies_to_kind(word.of, kind) or word.name_in(row) in row
        for field in _lines(word, row)
    ]
    words, missing = [f for f in sheet if f.value], [f for f in sheet if not f.value]
    return [*own, *words, *rest, *missing]


def _lines(word: SheetField, row: Row) -> Iterator[FormField]:
    """A line for each value of a field, and an empty one for a field that may be repeated."""
    name = word.name_in(row)
    values = _values(row.get(name))
    for at, value in enumerate(values):
        yield FormField(name, value, word.expects, at)
    if not values or word.again:
        yield FormField(name, "", word.expects, len(values))


def _values(value: Any) -> list[str]:
    """The values of a field as they are typed: phrases one by one, single words in one text."""
    if value is None or value is False:
        return []
    if isinstance(value, list):
        texts = [",".join(map(str, v)) if isinstance(v, list) else str(v) for v in value]
        return texts if any(" " in text for text in texts) else [",".join(texts)]
    return ["yes" if value is True else str(value)]


def with_value(ruleset: Ruleset, row: Row, field: FormField, text: str) -> Row:
    """Return the row with another value of a field; an empty text removes it.

    Raises Refused for a text that `add` would refuse as well.
    """
    text = text.strip()
    if field.name in OWN:
        return _with(row, field.name, text)
    values: list[Any] = [*_values(row.get(field.name))]
    new = [_read(ruleset, field.name, text)] if text else []
    values[field.at : field.at + 1] = new
    if len(values) < 2:
        return _with(row, field.name, new[0] if new else values[0] if values else None)
    return _with(row, field.name, values)


def with_words(ruleset: Ruleset, line: str) -> Row:
    """Read the fields of a row from the words of `add`: `text "Never late." ac 4 init 2`.

    Raises Refused for words that the game's sheet doesn't know.
    """
    tokens = TokenStream(tokenize(line), party_alone(ruleset))  # a companion names its owner
    text = parse_description(tokens)
    read = ruleset.sheet.read_fields(Context(tokens.state, ruleset, SeededDice(0)), tokens)
    text = parse_description(tokens) or text
    tokens.finish()
    return fields_of(read) | ({"text": text} if text else {})


def _read(ruleset: Ruleset, name: str, text: str) -> Any:
    read = with_words(ruleset, name if text == "yes" else f"{name} {text}")
    if len(read) != 1:
        raise Refused(f"{text!r} says more than {name}: each has a line of its own")
    return next(iter(read.values()))


def _with(row: Row, name: str, value: Any) -> Row:
    remaining = {field: given for field, given in row.items() if field != name or value}
    return {**remaining, name: value} if value or value == 0 else remaining


# -------------------------------------------------------------------------------------------------
# The builder: the campaign's people and the waves, added by enter

BRING_NOBODY = "The campaign has no party or bestiary yet"
HOW_MANY = late_pattern(r"x?(\d{1,2})$")


class CommandRow(NamedTuple):
    """A row that stands for a command.

    name           the name that finds it
    line           the command's line
    render_detail  those it adds
    left_with      the HP of somebody who left; empty for other rows
    """

    name: str
    line: str
    render_detail: str
    left_with: str = ""


def parted(query: str, sheet: Collection[str] = ()) -> tuple[str, str]:
    """Split a query into a name and the words for `add` after it: `gho 3 hidden` -> `gho`,
    `x3 hidden`.

    A count, a term of `add` such as `hidden`, or a word of the `sheet` ends the name. All words
    after it are given to `add`, which refuses those that it doesn't understand.
    """
    words = query.split()
    is_wave = len(words) > 1 and words[0].casefold() == "wave" and HOW_MANY.match(words[1])
    ends = (
        at
        for at in range(2 if is_wave else 1, len(words))
        if _is_term(words, at) or words[at].casefold() in sheet
    )
    begins = next(ends, None)
    if begins is None:
        return query, ""
    rest = words[begins:]
    for at, word in enumerate(rest):
        many = HOW_MANY.match(word)
        if many and _ends_term([each.casefold() for each in rest[:at]]):
            rest[at] = f"x{many[1]}"
            break
    return " ".join(words[:begins]), " ".join(rest)


def _ends_term(before: Sequence[str]) -> bool:
    """True if a count may follow these words: none of them still needs its value."""
    *_, last_but_one, last = "", "", *before
    return not before or last in ("hidden", "group") or last_but_one in ("wave", "side")


def _is_term(words: Sequence[str], at: int) -> bool:
    """True if a word ends the name: a count, or a term of `add`."""
    word = words[at].casefold()
    if word == "wave":
        return at + 1 == len(words) or words[at + 1].isdecimal()
    return HOW_MANY.match(word) is not None or word in (*TERMS, "as")


class JoinList(model.FightLookupSource[CreatureEntry | CommandRow]):
    """The list of those who can join: those who left, the party, waves, then everybody by name.

    Typed letters mean a monster's kind before one of them who left, unless its whole name is typed.

    query  the text typed last: a name, then a count and terms of `add`
    """

    NAME = "Bring in"
    KEY = "bring"
    TAKES = "brings in"

    query = ""
    _sheet: Collection[str] = ()
    _is_sure = True
    _asked: tuple[str, CreatureEntry | CommandRow] | None = None

    def take(self, ruleset: Ruleset, state: Encounter) -> None:
        """Take in the campaign's rows and the waves anew."""
        super().take(ruleset, state)
        people = [row for _, row in _rows_by_name(ruleset)]
        self._gone = [_gone_row(ruleset, c) for c in state.gone if not c.is_out]
        self._gone.sort(key=lambda row: not self._is_character(row))
        back = {row.line for row in self._gone}
        self._rows_by_name = [
            (by, row)
            for by, row in _rows_by_name(ruleset)
            if row.sort != PARTY or f"add {BACK} {to_id(row.name)}" not in back
        ]
        party = [row.name for row in people if row.sort == PARTY]
        waves = sorted(state.waves.items())
        self._commands = [
            *self._gone,
            *([CommandRow("The party", "add party", ", ".join(party))] if party else []),
            *(CommandRow(f"Wave {wave}", f"wave {wave}", ", ".join(who)) for wave, who in waves),
        ]

    def rows(self, query: str) -> Sequence[CreatureEntry | CommandRow | str]:
        """The rows that match; who left, the party and the waves come before all others."""
        self.query = query
        rows_by_name: list[tuple[SearchKey, CreatureEntry | CommandRow]] = [
            *((search_key(each.name), each) for each in self._commands),
            *self._rows_by_name,
        ]
        self._sheet = ()
        fit = self._fitting(rows_by_name)
        if not fit and len(self._parted()[0].split()) > 1:  # a word that is in nobody's name
            fields = self.ruleset.sheet.fields(self.ruleset.tables)
            self._sheet = {word for field in fields for word in (field.name, *field.alike)}
            fit = self._fitting(rows_by_name)
        self._is_sure = bool(fit)
        typed = fold(self._parted()[0])
        if fit and typed:
            return [row for _, row in sorted(fit, key=lambda each: each[0])]
        if fit:
            return sorted((row for _, row in fit), key=_by_name)
        return search(rows_by_name, typed) if rows_by_name else [BRING_NOBODY]

    def _fitting(
        self, rows_by_name: Sequence[tuple[SearchKey, CreatureEntry | CommandRow]]
    ) -> list[tuple[tuple[bool, ...], CreatureEntry | CommandRow]]:
        """The rows whose names have all words of the name typed, each with its rank."""
        name = self._parted()[0]
        typed, whole = fold(name), fold(self.query)
        return [
            (
                (
                    bool(typed) and row in self._gone and not self._is_named(row),
                    by.name != whole,
                    by.name != typed,
                    row.name.casefold() != name.casefold(),
                ),
                row,
            )
            for by, row in rows_by_name
            if not _strange(by, typed)
        ]

    def _parted(self) -> tuple[str, str]:
        """The name typed, and the words for `add` after it."""
        return parted(self.query, self._sheet)

    def refusal(self, row: CreatureEntry | CommandRow | None) -> str:
        """The reason why enter can't add the chosen row; empty if it can."""
        typed, terms = self._parted()
        if row is None:
            nobody = f"nobody in the campaign is called {typed!r}"
            return f"{nobody}; expected NAME [N] {USAGE}" if self._rows_by_name else BRING_NOBODY
        if isinstance(row, CommandRow):
            return ""
        strange = _strange(search_key(row.name), fold(typed))
        if strange and len(strange) < len(typed.split()):
            near = did_you_mean(strange[0], TERMS)
            return (
                f"{strange[0]!r} is neither part of the name {row.name} nor an option"
                f"{near}; expected NAME [N] {USAGE}"
            )
        named_otherwise = "as" in terms.casefold().split()
        if row.sort != PARTY or named_otherwise:
            return ""
        if is_here(self.state, row.name):
            return f"{row.name} is here already; `as NAME` brings in another"
        several = HOW_MANY.match(terms.partition(" ")[0])
        return f"there is only one {row.name}" if several and several[1] != "1" else ""

    def question(self, row: CreatureEntry | CommandRow | None) -> str:
        """The question to answer before a row is added that only resembles the query; else empty.

        It is asked once: the next enter is the answer.
        """
        if row is None or self._is_sure or self._asked == (self.query, row):
            return ""
        self._asked = (self.query, row)
        typed = self._parted()[0]
        return f"nobody in the campaign is called {typed!r}; enter again brings in {row.name}"

    def command(self, row: CreatureEntry | CommandRow) -> str:
        """The command that enter gives for a row, with the words typed after the name."""
        if not isinstance(row, CommandRow):
            return f"add {row.id} {self._parted()[1]}".rstrip()
        is_whole = fold(self.query) == fold(row.name)  # `Ghoul 2` is a name here, and no number
        return row.line if is_whole else f"{row.line} {self._parted()[1]}".rstrip()

    def _is_character(self, row: CommandRow) -> bool:
        return any(c.name == row.name and c.kind == "pc" for c in self.state.gone)

    def _is_named(self, row: CreatureEntry | CommandRow) -> bool:
        """True if the words typed can only mean that one who left: a character, or a full name."""
        if not isinstance(row, CommandRow) or self._is_character(row):
            return True
        return row.name[-1:].isdigit() and fold(row.name) == fold(self.query)

    def fill(
        self,
        line: StyledLine,
        row: CreatureEntry | CommandRow,
        width: int,
        inks: Styles,
        chosen: bool,
    ) -> StyledLine:
        """`› Bog Ghoul   CR 2  bestiary`"""
        of, rated = row.left_with if isinstance(row, CommandRow) else row.sort, ""
        if isinstance(row, CreatureEntry):
            rated = _rating(self.ruleset.tables, row.id)
        at = max(width - max(9, len(of) + 1), 12)
        room = at - len(rated) - 5 if rated else width - 14
        line.add(
            truncate(row.name, max(room, 8)),
            inks.strong if chosen else inks.plain,
        )
        if rated:
            line.column(max(at - len(rated) - 2, 12)).add(rated, inks.dim)
        line.column(at)
        if isinstance(row, CreatureEntry) and is_broken(self.ruleset, row.id):
            return line.add("broken", inks.warn)
        return line.add(of, inks.dim)

    def render_detail(
        self, row: CreatureEntry | CommandRow, width: int, inks: Styles
    ) -> list[StyledLine]:
        """The command that enter gives, and whom it adds."""
        lines = [
            StyledLine().add("↵ ", inks.accent).add(self.command(row), inks.plain),
            *self._difficulty(self.command(row), width, inks),
            StyledLine(),
        ]
        if isinstance(row, CommandRow):
            return lines + model.wrapped_lines([row.render_detail], width, inks.plain)
        return [*lines, *stat_block_lines(self.ruleset, self.state, row, width, inks)]

    def _difficulty(self, line: str, width: int, inks: Styles) -> list[StyledLine]:
        """The difficulty of the fight now, and with those whom the line adds."""
        if type(self.ruleset.numbers).difficulty is NumberRules.difficulty:
            return []  # a game without a measure needn't add anybody to find nothing
        measure, tables = self.ruleset.numbers.difficulty, self.ruleset.tables
        now, then = measure(tables, self.state), None
        with suppress(Refused):
            then = measure(tables, decide(self.state, line, self.ruleset, SeededDice(0)).state)
        lines = [now.line] if now is not None else []
        if then is not None and then != now:
            lines.append(f"With these: {then.summary}" if now is not None else then.line)
        return model.wrapped_lines(lines, width, inks.dim)


def _by_name(row: CreatureEntry | CommandRow) -> tuple[int, str]:
    """The order of the whole list: who left, the party and the waves, then the party's, then all
    others, each by name."""
    if isinstance(row, CommandRow):
        return 0, ""
    return (1, "") if row.sort == PARTY else (2, fold(row.name))


def _rating(tables: Tables, key: str) -> str:
    """The strength of a monster of the bestiary, in the game's own measure; empty for none."""
    row = tables.bestiary[key]
    rates = (name for name, total in tables.totals.items() if total.rates and row.get(name))
    return next((f"{tables.total(name).label} {row[name]}" for name in rates), "")


def _gone_row(ruleset: Ruleset, combatant: Combatant) -> CommandRow:
    """The row of somebody who left: `Odo   19/28 HP`."""
    tables = ruleset.tables
    track = combatant.tracks.get(tables.health)
    of = f"/{track.max}" if track is not None and track.max is not None else ""
    label = tables.track(tables.health).in_a_sentence
    left_with = f"{track.value}{of} {label}" if track is not None else "left"
    effects = ", ".join(effect_name(tables, effect.name) for effect in combatant.effects)
    comes = f"{combatant.name} left, and comes back with {left_with}"
    line = f"add {BACK} {combatant.id}"
    return CommandRow(combatant.name, line, f"{comes}{effects and f'; {effects}'}", left_with)


@lru_cache(maxsize=2)
def _rows_by_name(ruleset: Ruleset) -> list[tuple[SearchKey, CreatureEntry]]:
    """The campaign's rows with their search keys, made once for all states of the fight."""
    return [(search_key(row.name), row) for row in campaign_creatures(ruleset.tables)]


def _strange(by: SearchKey, typed: str) -> list[str]:
    """The typed words that begin no word of a row's name."""
    return [word for word in typed.split() if f" {word}" not in by.text]
