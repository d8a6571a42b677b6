"""The lists of `/`, `?` and texts to read aloud: rules, stat blocks, keys and commands, notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from affray.core.commands.log_commands import SESSION_COMMANDS
from affray.core.commands.queries import RosterPreview, preview_row
from affray.core.engine.decide import commands_of
from affray.core.engine.effects import active_effects, independent_effects
from affray.core.engine.events import NoteAdded
from affray.core.engine.state import Combatant, Encounter
from affray.core.formatting.effects import (
    bracket_text,
    common_end_text,
    effect_in_full,
    other_stat_lines,
)
from affray.core.formatting.log_lines import read_aloud_texts
from affray.core.formatting.media import WRITTEN, say
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.errors import Refused
from affray.core.parser.search import search, search_key
from affray.core.rules.reference import HERE, CreatureEntry, ReferenceEntry, look_up_keys
from affray.core.rules.ruleset import AvailableAction, Ruleset
from affray.core.rules.tables import Tables
from affray.store.campaigns.find import campaign_folders
from affray.tui.drawing import (
    StyledLine,
    flow_items,
    format_track,
    total_line,
    truncate,
    wrap,
    wrapped_text,
)
from affray.tui.fight_view import FightView
from affray.tui.keymap import KeyBinding, Keymap, config_folder, key_label
from affray.tui.lookup.model import FightLookupSource, LookupSource, wrapped_lines
from affray.tui.theme import Styles

# -------------------------------------------------------------------------------------------------
# Stat blocks, of the fight or of the campaign


def stat_block_lines(
    ruleset: Ruleset, state: Encounter, row: CreatureEntry, width: int, inks: Styles
) -> list[StyledLine]:
    """The whole sheet of a combatant, or the reason why there is none."""
    try:
        state, combatant, rolls = _found(ruleset, state, row)
    except Refused as refusal:
        why_not = f"{row.name} can't be added: {refusal.message}"
        return wrapped_lines([why_not], width, inks.warn)
    title, *rest = sheet_lines(ruleset, state, combatant, row.sort, width, inks)
    rolled = [f"{e.for_} {e.dice} is rolled for each, such as {e.total}" for e in rolls]
    return [title, *_paragraphs(rolled, width, inks), *rest]


@lru_cache(maxsize=1024)
def is_broken(ruleset: Ruleset, key: str) -> bool:
    """True if a row of the campaign's is faulty, so that `add` refuses it."""
    try:
        preview_row(ruleset, key)
    except Refused:
        return True
    return False


def _found(ruleset: Ruleset, state: Encounter, row: CreatureEntry) -> RosterPreview:
    """The combatant of a row: of this fight, or else in a scratch fight. Raises Refused."""
    if row.sort == HERE:
        combatant = state.find(row.id)
        if combatant is None:
            raise Refused(f"{row.name} is no longer here")
        return RosterPreview(state, combatant, [])
    return preview_row(ruleset, row.id)


def sheet_lines(
    ruleset: Ruleset, state: Encounter, combatant: Combatant, sort: str, width: int, inks: Styles
) -> list[StyledLine]:
    """The lines of a stat block: numbers, kind, options, effects, description."""
    title = (
        StyledLine().add(combatant.name, inks.strong).add(f"  {_about(combatant, sort)}", inks.dim)
    )
    totals = ruleset.numbers.totals(ruleset.tables, state, combatant)
    own = ruleset.actions.own_options(ruleset.tables, state, combatant)
    names = {option.name for option in own}
    numbers = [*_tracks(ruleset.tables, combatant, inks), *_totals(ruleset.tables, totals, inks)]
    short, long = _stats(ruleset, state, combatant, {*totals, *names})
    numbers += [StyledLine().add(text, inks.plain) for text in short]
    lines = [title, *flow_items(numbers, width)]
    lines += _paragraphs(long, width, inks)
    lines += _paragraphs([f"{o.name}: {o.text}" if o.text else o.name for o in own], width, inks)
    lines += _effects(ruleset, state, combatant, width, inks)
    lines += _paragraphs([f"· {note}" for note in combatant.notes], width, inks)
    return lines + [
        StyledLine().add(text, inks.dim) for text in wrapped_text(combatant.text, width)
    ]


def _about(combatant: Combatant, sort: str) -> str:
    words = [combatant.kind if combatant.kind != "pc" else "PC", sort]
    words += [combatant.life] if combatant.life != "up" else []
    return ", ".join([*words, "hidden"] if combatant.hidden else words)


def _tracks(tables: Tables, combatant: Combatant, inks: Styles) -> Iterator[StyledLine]:
    """The tracks, except those at 0 without a limit."""
    for name, track in combatant.tracks.items():
        if track.value or track.max:
            label = tables.track(name).label
            yield StyledLine().add(f"{label} ", inks.dim).add(format_track(track), inks.strong)


def _totals(tables: Tables, totals: Mapping[str, int | str], inks: Styles) -> Iterator[StyledLine]:
    for name, value in totals.items():
        rule = tables.total(name)
        if rule.tells(value):
            yield total_line(rule, value, inks.dim, inks.strong)


def _stats(
    ruleset: Ruleset, state: Encounter, combatant: Combatant, lines: set[str]
) -> tuple[list[str], list[str]]:
    """The creature's own numbers in words: short ones, and lists of rows."""
    words = {
        name: text
        for name, text in ruleset.sheet.labels(state, combatant).items()
        if name in combatant.stats
    }
    rest = {n: v for n, v in combatant.stats.items() if n not in words}
    long = {
        n: v for n, v in rest.items() if isinstance(v, list) and any(isinstance(p, dict) for p in v)
    }
    short = {n: v for n, v in rest.items() if n not in long}
    told_long = [*filter(None, words.values()), *other_stat_lines(ruleset.tables, long, lines)]
    return [
        strip_control_chars(t) for t in other_stat_lines(ruleset.tables, short, lines)
    ], told_long


def _effects(
    ruleset: Ruleset, state: Encounter, combatant: Combatant, width: int, inks: Styles
) -> list[StyledLine]:
    """The effects on a creature, each with its end, then the effects that it implies."""
    force, words = active_effects(ruleset.tables, state, combatant), []
    for effect in independent_effects(combatant):
        more = bracket_text(force, combatant, effect)
        end = common_end_text(ruleset.tables, state, combatant, [effect])
        words.append(f"{effect_in_full(effect)}{f' ({more})' if more else ''} {end}")
    return _paragraphs([f"Now: {' · '.join(words)}"] if words else [], width, inks)


def _paragraphs(texts: list[str], width: int, inks: Styles) -> list[StyledLine]:
    """Wrap each text on lines of its own, the further ones indented."""
    lines = []
    for text in texts:
        first, *rest = wrap(text, width - 2) or [""]
        lines += [
            StyledLine().add(first, inks.plain),
            *(StyledLine().add(f"  {t}", inks.plain) for t in rest),
        ]
    return lines


NAME_CELLS = 24
SORT_CELLS = 12
LEAST_TEXT = 16


class ReferenceList(FightLookupSource[ReferenceEntry | CreatureEntry]):
    """Rules, then creatures; the text of a rule, the numbers of a creature."""

    NAME = "Rules and creatures"
    KEY = "rules"
    REMEMBERS = True

    def take(self, ruleset: Ruleset, state: Encounter) -> None:
        """Take in the state, with its people and their numbers."""
        super().take(ruleset, state)
        self._rows_by_name = look_up_keys(ruleset, state)

    def rows(self, query: str) -> Sequence[ReferenceEntry | CreatureEntry | str]:
        """The entries that match, by name, then by text."""
        return search(self._rows_by_name, query)

    def fill(
        self,
        line: StyledLine,
        row: ReferenceEntry | CreatureEntry,
        width: int,
        inks: Styles,
        chosen: bool,
    ) -> StyledLine:
        """`Prone   condition   On the ground: …`, as far as it fits."""
        name = min(NAME_CELLS, max(width - SORT_CELLS - 4, 8))
        line.add(truncate(row.name, name), inks.strong if chosen else inks.plain)
        line.column(name + 3).add(truncate(row.sort, max(width - name - 3, 0)), inks.dim)
        room = width - name - 3 - SORT_CELLS
        if room >= LEAST_TEXT:
            line.column(name + 3 + SORT_CELLS).add(truncate(self._text(row), room), inks.dim)
        return line

    def _text(self, row: ReferenceEntry | CreatureEntry) -> str:
        if isinstance(row, ReferenceEntry):
            return row.text
        return row.text(self.ruleset.tables, self.state)

    def render_detail(
        self, row: ReferenceEntry | CreatureEntry, width: int, inks: Styles
    ) -> list[StyledLine]:
        """A rule's whole text, or a creature's sheet."""
        if isinstance(row, CreatureEntry):
            return stat_block_lines(self.ruleset, self.state, row, width, inks)
        title = StyledLine().add(row.name, inks.strong).add(f"  {row.sort}", inks.dim)
        words = [*([say(row.how, WRITTEN)] if row.how else []), row.text or "It has no text."]
        return [title, *wrapped_lines(words, width, inks.plain)]


# -------------------------------------------------------------------------------------------------
# Texts to be read to the players, then the GM's notes

ALOUD, NOTES = "To read aloud", "Notes"
NOTHING = 'Nothing yet: `read-aloud "TEXT"` saves a text for the players, `note "TEXT"` one for you'


class ReadAloudTexts(LookupSource[NoteAdded]):
    """The texts under their headings, the first to be read on top."""

    NAME = "Read aloud, and notes"
    KEY = "aloud"
    SEARCHED = False

    def __init__(self, view: FightView) -> None:
        self._view = view

    def renewed(self, view: FightView) -> bool:
        """True if there is another entry, which may be a note."""
        changed = view.history.last != self._view.history.last
        self._view = view
        return changed

    def rows(self, query: str) -> Sequence[NoteAdded | str]:
        """The texts for the players, then the notes."""
        for_players, notes = read_aloud_texts(self._view.history)
        rows: list[NoteAdded | str] = []
        for heading, texts in ((ALOUD, for_players), (NOTES, notes)):
            rows += [heading, *texts] if texts else []
        return rows or [NOTHING]

    def fill(
        self, line: StyledLine, row: NoteAdded, width: int, inks: Styles, chosen: bool
    ) -> StyledLine:
        """The beginning of the text."""
        return line.add(
            truncate(row.text, width - 2),
            inks.strong if chosen else inks.plain,
        )

    def render_detail(self, row: NoteAdded, width: int, inks: Styles) -> list[StyledLine]:
        """The whole text."""
        return wrapped_lines([row.text], width, inks.plain)


# -------------------------------------------------------------------------------------------------
# Help (`?`): every key by its heading, every command with its usage

KEY_CELLS = 15
LABEL_CELLS = 18
LEAST_WHAT = 16


ALSO: Mapping[str, str] = {
    "next": "end done skip",
    "start": "begin combat",
    "delay": "wait hold later",
    "return": "delayed",
    "swap": "tie order before switch",
    "init": "order",
    "init-all": "order dice",
    "end": "finish over victory",
    "add": "join joins newcomer reinforcements new somebody someone monster summon npc hazard",
    "wave": "reinforcements ambush",
    "bring": "late absent missing back comes arrives left player reinforcements",
    "take-out": "remove somebody leaves flees flee gone absent away retreat morale dead delete",
    "keep": "character sheet",
    "reveal": "hidden secret ambush players",
    "set": "correct change fix xp experience gold loot treasure level maximum",
    "setting": "optional rules variant weather light dark surroundings",
    "note": "write remember loot treasure clue",
    "aloud": "note notes",
    "clock": "countdown race timer",
    "undo": "mistake wrong back oops",
    "ways": "mistake wrong history forgot earlier past branch",
    "last-roll": "reroll mistake wrong forgot change amend correct",
    "again": "repeat same",
    "goto": "travel time earlier history past",
    "entry.back": "earlier history past amend",
    "look.back": "earlier history past",
    "rules": "look up monster stat block spell condition",
    "why": "explain number",
    "odds": "chance forecast win lose predict difficulty balance",
    "players": "screen display projector",
    "phones": "player device invite",
    "recap": "summary export xp kills",
    "other": "more rare actions list",
    "palette": "theme themes colours colors dark light contrast actions",
    "maximise": "zoom large full",
    "home": "exit close open another encounter",
    "quit": "exit close leave save",
}
"""Words that a GM may look for though no text has them, by the ids of keys of every game; a game's
own rows have theirs."""


class HelpEntry(NamedTuple):
    """A key, a command, or another topic of the help.

    pressed  how its keys are written; empty without any
    label    its label
    what     what it does
    more     further lines about it
    keys     its keys by their names, which also find it
    also     other words that find it
    """

    pressed: str
    label: str
    what: str
    more: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    also: str = ""


class HelpList(LookupSource[HelpEntry]):
    """Rows under headings; typed words narrow them, without headings."""

    NAME = "Keys and commands"
    KEY = "help"
    SHARE = 70
    HAS_ALL = True
    TOLD = 4

    def __init__(self, rows: Sequence[HelpEntry | str]) -> None:
        self._rows = rows
        self._rows_by_name = []
        heading = ""
        for row in rows:
            if isinstance(row, str):
                heading = row
            else:
                words = (heading, row.pressed, row.what, *row.more)
                key = search_key(row.label, words, row.keys, row.also)
                self._rows_by_name.append((key, row))

    def rows(self, query: str) -> Sequence[HelpEntry | str]:
        """The matching keys and commands, or all of them by headings."""
        return search(self._rows_by_name, query) if query.strip() else self._rows

    def fill(
        self, line: StyledLine, row: HelpEntry, width: int, inks: Styles, chosen: bool
    ) -> StyledLine:
        """`g  Grapple  holds somebody`"""
        line.add(row.pressed, inks.accent).column(KEY_CELLS)
        room = max(width - line.width, 0)
        if not row.label:
            return line.add(truncate(row.what, room), inks.plain)
        most = LABEL_CELLS - 2 if row.pressed else room
        line.add(truncate(row.label, min(most, room)), inks.plain)
        room = width - max(line.width + 2, KEY_CELLS + LABEL_CELLS)
        if room >= LEAST_WHAT:
            line.column(width - room).add(truncate(row.what, room), inks.dim)
        return line

    def render_detail(self, row: HelpEntry, width: int, inks: Styles) -> list[StyledLine]:
        """The whole text."""
        begun = StyledLine().add(row.pressed, inks.accent).add("  " if row.pressed else "")
        title, *rest = wrapped_lines([row.label], width, inks.strong)
        lines = [begun.join(title), *rest, *wrapped_lines([row.what], width, inks.plain)]
        return lines + wrapped_lines(row.more, width, inks.dim)


def fight_help(keymap: Keymap, ruleset: Ruleset, own: Sequence[AvailableAction]) -> HelpList:
    """The keys and commands of a fight, with the actor's own options."""
    rows: list[HelpEntry | str] = []
    for group, keys in keymap.groups.items():
        rows += [group, *(_key(key) for key in keys)]
    begins = keymap.of_own(own[0]) if own else None
    if begins is not None:
        rows.append(f"{begins.label}: {begins.shown}, and letters of the name")
        rows += [HelpEntry("", option.name, option.text or option.reason) for option in own]
    rows += [
        "In a prompt",
        *(HelpEntry(pressed, "", what) for pressed, what in in_a_prompt(ruleset)),
    ]
    rows += ["Commands for the : bar", *_keys_commands(ruleset)]
    names = ", ".join(key.id for key in keymap.keys)
    where = f'NAME = "KEY" in {config_folder()}, with these names: {names}'
    return HelpList([*rows, "Keys of your own", HelpEntry("", "keys.toml", where)])


def home_help(keys_of_the_list: Iterable[tuple[str, str, str]]) -> HelpList:
    """The keys of the list of fights, and the folders that are searched."""
    keys = [
        HelpEntry(pressed, label, does, keys=(pressed,))
        for pressed, label, does in keys_of_the_list
    ]
    folders = [
        HelpEntry("", f"{folder}", "is searched for fights") for folder in campaign_folders()
    ]
    own = HelpEntry("", f"{config_folder()}", "has keys.toml and settings.toml")
    return HelpList(["The fights", *keys, "Campaigns", *folders, "Your own", own])


def _key(key: KeyBinding) -> HelpEntry:
    pressed = _pressed([key_label(k) for k in key.keys] or [key.shown])
    more = [f"gives the command {key.prompt.command}"] if key.prompt and key.prompt.command else []
    more.append(f"in keys.toml: {key.id}")
    also = " ".join((ALSO.get(key.id, ""), key.also))
    return HelpEntry(pressed, key.label, key.what, tuple(more), key.keys, also)


def _pressed(keys: Sequence[str]) -> str:
    """The keys as they are written; if they don't fit their column, the first and the last."""
    written = " ".join(filter(None, keys)) or "–"
    return written if len(written) <= KEY_CELLS - 4 else f"{keys[0]} … {keys[-1]}"


def _keys_commands(ruleset: Ruleset) -> list[HelpEntry]:
    rows = [(name, command.usage, command.does) for name, command in commands_of(ruleset).items()]
    rows += [(name, command.usage, command.does) for name, command in SESSION_COMMANDS.items()]
    return [
        HelpEntry(":", name, does, (usage,) if usage else ()) for name, usage, does in sorted(rows)
    ]


def in_a_prompt(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """The keys of prompts, with what they answer."""
    yield "1 2 … 12", "a combatant by number; j and k move through what is offered"
    yield (
        "1,3-5 F P A",
        "several: numbers, foes, party, all; = the same as before, h half damage for the last",
    )
    outcomes = ruleset.tables.outcomes
    if outcomes:
        words = ", ".join(rule.label or word for word, rule in outcomes.items())
        called = f"the outcome a player calls: {words}"
        yield " ".join(rule.key for rule in outcomes.values()), called
    yield "C B …", "capital letters: the other options shown"
    yield "n15", "the number on the die; a or d after it for advantage or disadvantage"
    yield "r", "affray rolls; for the GM's creatures enter is enough"
    yield "↵", "accepts what is offered; does the command once nothing is missing"
    yield "space tab", "accepts what is offered and goes to the next answer"
    yield "bksp", "deletes the last key, then goes back an answer"
    yield "/", "shows the rules for this answer, except in a text; esc goes back to the prompt"
    yield "esc", "leaves; nothing changes"
