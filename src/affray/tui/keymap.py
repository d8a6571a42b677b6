"""The key bindings of footer, help, palette and prompts, and the user's own keys and theme.

It is put together of three parts: keys that every fight has (below), the ruleset's techniques, and
the ruleset's own prompts. A key whose command the ruleset doesn't know is not offered.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import platformdirs
from msgspec import Struct
from msgspec.structs import replace

from affray.core.commands.log_commands import SESSION_COMMANDS
from affray.core.engine.decide import commands_of
from affray.core.engine.history import AMEND
from affray.core.late_pattern import late_pattern
from affray.core.parser.declarations import PromptSpec, spec_of_prompt, spec_of_technique
from affray.core.parser.errors import Refused, did_you_mean, join_or
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.parser.spelling import fold
from affray.core.rules.ruleset import AvailableAction, Ruleset
from affray.core.rules.tables import PromptRow
from affray.data_text import read_toml
from affray.store.campaigns.toml_edit import with_key
from affray.store.filesystem import os_error_text, read_bytes, replace_file

SHOWN: Mapping[str, str] = {
    "space": "space",
    "up": "↑",
    "down": "↓",
    "escape": "esc",
    "enter": "↵",
    "backspace": "bksp",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "f1": "F1",
    "f2": "F2",
}
"""How keys with names are written; all others are written as they are."""


class KeyBinding(Struct, frozen=True):
    """One entry of the table.

    id      what the user's configuration knows it by
    keys    the keys that do it; the first is the one that is shown
    label   two or three words for the footer
    group   the heading in the help
    what    one line for the help
    prompt  the command that it gives and what that asks for; None where it moves something on the
            screen only
    was     the keys that did it in earlier releases
    also    other words by which it is found
    sequence  for an act without a key: the key of the other acts, and letters of its name
    """

    id: str
    keys: tuple[str, ...]
    label: str
    group: str
    what: str
    prompt: PromptSpec | None = None
    was: tuple[str, ...] = ()
    also: str = ""
    sequence: tuple[str, ...] = ()

    @property
    def pressed(self) -> tuple[str, ...]:
        """The keys that begin it, one after the other; empty if none do."""
        return self.keys[:1] or self.sequence

    @property
    def shown(self) -> str:
        """These as they are written: `s`, or `;st`."""
        return "".join(map(key_label, self.pressed))


def lowered(label: str) -> str:
    """A label within a sentence: all of its words but those that are letters, such as HP."""
    words = label.split(" ")
    return " ".join(w if len(w) > 1 and w[:2].isupper() else w.lower() for w in words)


def key_label(key: str) -> str:
    """A key as it is written."""
    return SHOWN.get(key, key)


TURN, PEOPLE, FIGHT, LOG, SCREEN = "Turns", "Combatants", "The fight", "The log", "The screen"
TECHNIQUES, REACTIONS, WHAT_HAPPENS = "Techniques", "Reactions", "What happens"

NUMBER = "cursor.number"
"""The entry of the digits, which put the cursor on whoever has the number."""
COMMAND = "command"
"""The entry that opens the command bar."""
OTHER = "other"
"""The entry that lists the acts without a key, which are begun by letters of their names."""
RULES = "rules"
"""The entry that looks rules up."""
INIT = "init"
"""The entry that asks for initiatives, one after the other."""
BEHIND_INIT = ("start", "init-all")
"""The entries that end that asking."""
LAST_ROLL = "last-roll"
"""The entry that asks the last roll again."""

_TYPED = late_pattern(r"`([a-z][^`]*)`(?! \()")
"""A command in a message, as it is typed; one that is explained needs no key."""

_MOVES: tuple[KeyBinding, ...] = (
    KeyBinding("cursor.down", ("j", "down"), "down", SCREEN, "moves the cursor to the next row"),
    KeyBinding("cursor.up", ("k", "up"), "up", SCREEN, "moves the cursor to the row before"),
    KeyBinding(
        NUMBER,
        tuple("123456789"),
        "to a number",
        SCREEN,
        "moves the cursor to that number, such as 12",
    ),
    KeyBinding(
        "cursor.turn", ("0",), "whose turn", SCREEN, "moves the cursor to whoever's turn it is"
    ),
    KeyBinding(
        LAST_ROLL,
        ("ctrl+e",),
        "last roll",
        LOG,
        "reopens the last roll, to correct it",
    ),
    KeyBinding("help", ("?", "f1"), "help", SCREEN, "finds keys and commands, or lists them all"),
    KeyBinding(COMMAND, (":",), "command", SCREEN, "opens the command bar"),
    KeyBinding(
        OTHER,
        (";",),
        "other acts",
        SCREEN,
        "lists acts without a key; type a name",
    ),
    KeyBinding(
        RULES,
        ("/",),
        "rules",
        SCREEN,
        "finds any rule by a word in it, and any creature with its numbers",
    ),
    KeyBinding(
        "bring",
        ("ctrl+l",),
        "bring in",
        PEOPLE,
        "adds the campaign's creatures: `gho 3 hidden` adds three; also waves and those who left",
    ),
    KeyBinding(
        "aloud",
        ("ctrl+y",),
        "read aloud",
        FIGHT,
        "shows the texts to read aloud, and the notes",
    ),
    KeyBinding("why", ("w",), "why", SCREEN, "shows what the numbers are made of"),
    KeyBinding(
        "odds",
        ("ctrl+f",),
        "odds",
        SCREEN,
        "estimates how the fight may end",
    ),
    KeyBinding(
        "players", ("ctrl+d",), "players' view", SCREEN, "shows the fight as the players see it"
    ),
    KeyBinding("pane.next", ("tab",), "next pane", SCREEN, "goes to the next pane"),
    KeyBinding("pane.back", ("shift+tab",), "previous pane", SCREEN, "goes to the previous pane"),
    KeyBinding(
        "jump", ("ctrl+g",), "jump", SCREEN, "shows a letter on each pane; that key goes there"
    ),
    KeyBinding(
        "maximise", ("z",), "maximise", SCREEN, "fills the screen with one pane, or shows all"
    ),
    KeyBinding("scroll.down", ("pagedown",), "page down", SCREEN, "scrolls the selected pane"),
    KeyBinding("scroll.up", ("pageup",), "page up", SCREEN, "scrolls the selected pane"),
    KeyBinding("scroll.start", ("home",), "start", SCREEN, "goes to the start of the pane"),
    KeyBinding("scroll.end", ("end",), "end", SCREEN, "goes to the end of the pane"),
    KeyBinding("palette", ("ctrl+p",), "palette", SCREEN, "lists every action, searched by typing"),
    KeyBinding("leave", ("escape",), "back", SCREEN, "closes whatever is open; nothing changes"),
    KeyBinding(
        "recap",
        ("ctrl+t",),
        "story",
        LOG,
        "tells the story of the fight",
    ),
    KeyBinding(
        "home", ("ctrl+o",), "fights", SCREEN, "closes the fight, and goes to the list of fights"
    ),
    KeyBinding("quit", ("ctrl+q",), "quit", SCREEN, "leaves the fight; it is already saved"),
    KeyBinding(
        "again",
        ("n",),
        "again",
        TURN,
        "repeats the actor's last act with new dice",
    ),
    KeyBinding("answer", ("enter",), "answer", TURN, "answers a question of a turn's start or end"),
    KeyBinding(
        "proposal.accept",
        ("ctrl+a",),
        "accept",
        TURN,
        "accepts the first proposal from a phone",
    ),
    KeyBinding(
        "proposal.change",
        ("ctrl+s",),
        "change",
        TURN,
        "puts that proposal in the command bar",
    ),
    KeyBinding(
        "proposal.decline",
        ("ctrl+w",),
        "decline",
        TURN,
        "declines it, with or without a reply",
    ),
    KeyBinding("phones", ("ctrl+b",), "phones", SCREEN, "lists which phone plays which character"),
    KeyBinding("undo", ("u",), "undo", LOG, SESSION_COMMANDS["undo"].does),
    KeyBinding(
        "ways", ("ctrl+u",), "undo list", LOG, "lists what can be undone and redone, and branches"
    ),
    KeyBinding("redo", ("ctrl+r",), "redo", LOG, SESSION_COMMANDS["redo"].does),
    KeyBinding(
        "look.back",
        (",",),
        "look back",
        LOG,
        "shows the fight one entry earlier",
    ),
    KeyBinding("look.forward", (".",), "look on", LOG, "shows the fight one entry later"),
    KeyBinding(
        "entry.back",
        ("[",),
        "entry up",
        LOG,
        "selects the previous entry of the log",
    ),
    KeyBinding("entry.forward", ("]",), "entry down", LOG, "selects the next entry of the log"),
)

_COMMANDS: Mapping[str, Mapping[str, PromptRow]] = {
    TURN: {
        "next": PromptRow(key="space", label="Next turn", command="next"),
        "start": PromptRow(key="S", label="Start the fight", command="start"),
        "delay": PromptRow(key="W", label="Delay", command="delay"),
        "return": PromptRow(
            key="B",
            label="Come back",
            command="return",
            nobody="nobody has delayed",
        ),
        "swap": PromptRow(key="J", label="Let ally first", command="swap"),
        "finish": PromptRow(label="Yield the turn", command="finish"),
        "turns-a-round": PromptRow(label="Number of turns", command="turns-a-round"),
        INIT: PromptRow(key="i", label="Initiative", command="init"),
        "init-all": PromptRow(key="I", label="Roll initiative", command="init roll"),
        "end": PromptRow(key="E", label="End the fight", command="end", fields=("sure",)),
    },
    PEOPLE: {
        "add": PromptRow(key="a", label="Add", command="add", example="monster Ghoul x2 {foe}"),
        "wave": PromptRow(key="ctrl+n", label="Next wave", command="wave"),
        "keep": PromptRow(
            key="ctrl+k",
            label="Keep",
            command="keep",
            fields=("self", "list?"),
            choices={"list": ("party", "bestiary")},
        ),
        "reveal": PromptRow(
            key="V",
            label="Conceal / reveal",
            command="conceal",
            fields=("targets", "verb"),
            choices={"verb": ("conceal", "reveal")},
        ),
        "set": PromptRow(key="Q", label="Set", command="set"),
        "inventory": PromptRow(
            label="Inventory", command="inventory", also="items carried gear who carries what"
        ),
        "take-out": PromptRow(key="X", label="Take out", command="leave"),
    },
    FIGHT: {
        "note": PromptRow(key="y", label="Note", command="note"),
        "clock": PromptRow(key="L", label="Clock", command="clock", example="4d6 slow"),
        "setting": PromptRow(
            key="f2",
            was="P",
            label="House rule",
            command="setting",
            fields=(Field("line"),),
            example="dynamic-initiative on",
        ),
    },
    LOG: {
        "goto": PromptRow(key="N", label="Go to entry", command="goto", fields=("number",)),
    },
}
"""The commands of every game that have a key, by their headings and ids."""

STAYS_OPEN = (INIT, "add")
"""The entries whose prompts go on to the next: there are mostly several to whom it is done."""


class Keymap:
    """All keys of one fight.

    keys        the entries, in the order of the table
    by_key      what a key does
    by_id       an entry by its name
    groups      the entries by their headings, in the order of the table
    moved       by a key of earlier releases the entries that it was for
    others      the entries without a key by letters of their names: those that fit best
    for_own     those of prompts that ask for an option of the actor's own
    complaints  lines about entries that could not be had
    """

    def __init__(self, keys: Iterable[KeyBinding], own: Mapping[str, str] | None = None) -> None:
        self.complaints: list[str] = []
        had = self._each_once(self._with_own(tuple(keys), own or {}))
        self.by_key = {pressed: key for key in had for pressed in key.keys}
        self.keys, self.others = _with_sequences(had)
        self.by_id = {key.id: key for key in self.keys}
        self.groups: dict[str, list[KeyBinding]] = {}
        for key in self.keys:
            self.groups.setdefault(key.group, []).append(key)
        mine = {pressed for keys in (own or {}).values() for pressed in keys.split()}
        self.moved: dict[str, list[KeyBinding]] = {}
        for key in self.keys:
            for pressed in key.was if key.pressed else ():
                if pressed not in (*mine, *key.keys):
                    self.moved.setdefault(pressed, []).append(key)
        self.for_own = [key for key in self.keys if key.prompt and key.prompt.asks_own]
        self._by_command = {
            AMEND if each.prompt is None else each.prompt.command: each
            for each in reversed(self.keys)
            if each.pressed and (each.prompt is not None or each.id == LAST_ROLL)
        }

    def _with_own(
        self, keys: tuple[KeyBinding, ...], own: Mapping[str, str]
    ) -> tuple[KeyBinding, ...]:
        choices = {key.id for key in keys}
        for wrong in (name for name in own if name not in choices):
            self.complaints.append(f"there is no key called {wrong!r}; `?` lists their names")
        mine = {name: tuple(pressed.split()) for name, pressed in own.items() if name in choices}
        taken = {pressed for row in mine.values() for pressed in row}
        return tuple(
            replace(key, keys=mine[key.id]) if key.id in mine else self._without(key, taken)
            for key in keys
        )

    def _without(self, key: KeyBinding, taken: set[str]) -> KeyBinding:
        """The entry without the keys that the user has given to others."""
        left = tuple(pressed for pressed in key.keys if pressed not in taken)
        if key.keys and not left:
            self.complaints.append(f"{key.id} has lost its key {key.shown}, and now has none")
        return replace(key, keys=left)

    def _each_once(self, keys: tuple[KeyBinding, ...]) -> tuple[KeyBinding, ...]:
        """The entries with the keys that they can have: each is had by the first that wants it."""
        has: dict[str, str] = {}
        for key in keys:
            for pressed in key.keys:
                other = has.setdefault(pressed, key.id)
                if other != key.id:
                    self.complaints.append(
                        f"the key {key_label(pressed)} is set for both {other} and {key.id}: "
                        f"{other} has it"
                    )
        return tuple(
            replace(key, keys=tuple(pressed for pressed in key.keys if has[pressed] == key.id))
            for key in keys
        )

    def find(self, pressed: str) -> KeyBinding | None:
        """The binding of a key; None when it has none."""
        return self.by_key.get(pressed)

    def with_keys(self, text: str, but: str = "") -> str:
        """Return a message with the key behind each command that it names: `carry` (;ca).

        `but` is the command whose key is pressed already.
        """

        def named(found: re.Match[str]) -> str:
            words = found[1].split()
            before = (" ".join(words[:n]) for n in range(len(words), 0, -1))
            key = next(filter(None, map(self._by_command.get, before)), None)
            is_known = key is None or words[0] == but.partition(" ")[0]
            return found[0] if key is None or is_known else f"{found[0]} ({key.shown})"

        return _TYPED.sub(named, text)

    def of_technique(self, technique: str) -> KeyBinding | None:
        """The key of a technique."""
        return self.by_id.get(f"technique.{technique}")

    def of_own(self, option: AvailableAction) -> KeyBinding | None:
        """The key that begins an option of the actor's own: of the command that it is called by,
        `power Roar`; else the game's prompt for what is one's own."""
        begun, keys = option.technique.partition(" ")[0], self.for_own
        called = (key for key in keys if key.prompt is not None and key.prompt.command == begun)
        return next(called, next((key for key in keys if key.group == WHAT_HAPPENS), None))


# -------------------------------------------------------------------------------------------------
# The acts without a key of their own: letters of their names begin them, behind one key


def in_letters(text: str) -> str:
    """Return a name, or what was typed of one, as the two are compared: `fly climb swim`."""
    written = "".join(letter if letter.isalnum() else " " for letter in fold(text))
    return " ".join(written.split()) + (" " if written.strip() and written.endswith(" ") else "")


def _spellings(name: str) -> tuple[list[str], ...]:
    """The letters that name it, the best way first: its beginning, that of a later word, the first
    letters of its words, its first letter and another."""
    words = name.split()  # none in a name of signs alone, which is only in the list
    later = [" ".join(words[at:]) for at in range(1, len(words))]
    return (
        [name[: n + 1] for n in range(len(name))],
        [rest[: n + 1] for rest in later for n in range(len(rest))],
        ["".join(word[0] for word in words[:n]) for n in range(2, len(words) + 1)],
        [name[:1] + letter for letter in name[2:] if letter != " "],
    )


def _by_letters(acts: Iterable[KeyBinding]) -> dict[str, list[KeyBinding]]:
    """The acts that letters name in the best way in which any is named by them; the one of which
    that is all of the name is the first."""
    found: dict[str, tuple[int, list[KeyBinding]]] = {}
    for act in acts:
        name = in_letters(act.label).strip()
        for rank, spellings in enumerate(_spellings(name)):
            for letters in dict.fromkeys(spellings):
                best, named = found.get(letters, (rank, []))
                if rank > best or act in named:
                    continue
                named = [*named, act] if rank == best else [act]
                found[letters] = rank, [act, *named[:-1]] if letters == name else named
    return {letters: named for letters, (_, named) in found.items()}


def _enough(act: KeyBinding, others: Mapping[str, list[KeyBinding]]) -> tuple[str, ...]:
    """The letters that name nothing but this act, of which none fewer name anything else alone;
    all of its name and enter, where that begins the name of another."""
    name = in_letters(act.label).strip()
    beginnings, _, initials, pairs = _spellings(name)
    for letters in (*beginnings[:2], *initials, *beginnings[2:3], *pairs, *beginnings[3:]):
        fewer = (letters[: n + 1] for n in range(len(letters) - 1))
        if others[letters] == [act] and all(others[less][1:] for less in fewer):
            return tuple(letters.replace(" ", ""))
    return (*("space" if letter == " " else letter for letter in name), "enter")


def _with_sequences(
    keys: tuple[KeyBinding, ...],
) -> tuple[tuple[KeyBinding, ...], dict[str, list[KeyBinding]]]:
    """The entries, those of acts without a key with what is pressed for them; and these by letters
    of their names."""
    opens = next((key.keys[:1] for key in keys if key.id == OTHER), ())
    others = _by_letters(key for key in keys if key.prompt is not None and not key.keys)
    acts = {act.id: act for acts in others.values() for act in acts}
    whole = {
        name: replace(act, sequence=(*opens, *_enough(act, others))) if opens else act
        for name, act in acts.items()
    }
    return (
        tuple(whole.get(key.id, key) for key in keys),
        {letters: [whole[act.id] for act in named] for letters, named in others.items()},
    )


def keymap_for(ruleset: Ruleset, own: Mapping[str, str] | None = None) -> Keymap:
    """The keys of a ruleset's fight; `own` are the user's, from an id to one or more keys."""
    order = (TURN, TECHNIQUES, REACTIONS, WHAT_HAPPENS, PEOPLE, FIGHT, LOG, SCREEN)
    keys = [*_command_keys(ruleset), *_technique_keys(ruleset)]
    keys += [*_keyless(ruleset, keys), *_MOVES]
    return Keymap(sorted(keys, key=lambda key: order.index(key.group)), own)


def _command_keys(ruleset: Ruleset) -> list[KeyBinding]:
    """The keys of commands: of those that every game has, and of the game's own."""
    commands = commands_of(ruleset)
    bound: list[KeyBinding] = []
    does = {name: command.does for name, command in SESSION_COMMANDS.items()}
    does |= {name: command.does for name, command in commands.items()}
    rows = [(name, group, rule) for group, row in _COMMANDS.items() for name, rule in row.items()]
    rows += [
        (f"prompt.{name}", WHAT_HAPPENS, rule) for name, rule in ruleset.tables.prompts.items()
    ]
    for name, group, rule in rows:
        word = rule.command.partition(" ")[0]
        if word in does:
            prompt = spec_of_prompt(name, rule, ruleset, commands)
            what = rule.text if group == WHAT_HAPPENS else does[word]
            keys, was = tuple(rule.key.split()), tuple(rule.was.split())
            bound.append(KeyBinding(name, keys, prompt.label, group, what, prompt, was, rule.also))
    return bound


def _technique_keys(ruleset: Ruleset) -> list[KeyBinding]:
    tables, commands = ruleset.tables, commands_of(ruleset)
    bound = []
    for name, technique in tables.techniques.items():
        prompt = spec_of_technique(name, ruleset, commands, tables.prompts.get(name))
        if prompt.command.split()[0] in commands:
            group = REACTIONS if technique.reaction else TECHNIQUES
            keys, was = tuple(technique.key.split()), tuple(technique.was.split())
            also, what = technique.also, technique.text
            bound.append(KeyBinding(prompt.id, keys, prompt.label, group, what, prompt, was, also))
    return bound


def _keyless(ruleset: Ruleset, bound: Iterable[KeyBinding]) -> list[KeyBinding]:
    """The entries of all other commands."""
    prompts = [key.prompt for key in bound if key.prompt is not None]
    whole = {p.command for p in prompts if not p.rule.fixed}
    commands = commands_of(ruleset)
    found = []
    for name, command in commands.items():
        if name not in whole:
            rule = PromptRow(command=name, label=name.replace("-", " ").capitalize())
            prompt = spec_of_prompt(name, rule, ruleset, commands)
            if command.args_type is not None and not prompt.fields:
                prompt = replace(prompt, fields=(ANY_MORE,))
            does = command.does
            found.append(KeyBinding(f"command.{name}", (), rule.label, WHAT_HAPPENS, does, prompt))
    return found


# -------------------------------------------------------------------------------------------------
# The user's own keys: `keys.toml` in the configuration folder, from a key's id to a key.
#
# next = "enter"
# undo = "u ctrl+z"
# technique.strike = "1"

FILE = "keys.toml"
MOST_BYTES = 1024 * 1024
"""The size of such a file that is read."""


def config_folder() -> Path:
    """The folder of the user's configuration; AFFRAY_CONFIG names another one."""
    named = os.environ.get("AFFRAY_CONFIG", "")
    return Path(named) if named else Path(platformdirs.user_config_dir("affray", appauthor=False))


def own_file(path: Path) -> dict[str, Any]:
    """Read a TOML file of the user's; empty if there is none.

    Raises OSError or ValueError for what is no plain file, no text or no TOML.
    """
    try:
        return read_toml(read_bytes(path, MOST_BYTES).decode("utf-8-sig"))
    except FileNotFoundError:
        return {}


def own_keys(folder: Path | None = None) -> tuple[dict[str, str], list[str]]:
    """The user's keys, and a line for each entry that can't be read. A missing file is no fault."""
    path = (folder or config_folder()) / FILE
    try:
        found = own_file(path)
    except (OSError, ValueError) as error:
        return {}, [f"{path} is not used: {os_error_text(error)}"]
    keys: dict[str, str] = {}
    complaints = []
    for name, pressed in _flat(found):
        if isinstance(pressed, str) and pressed.split():
            keys[name] = pressed
        else:
            complaints.append(f"{FILE}: {name} must be a key in quotes, not {pressed!r}")
    return keys, complaints


def _flat(table: dict[str, Any], head: str = "") -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for name, value in table.items():
        if isinstance(value, dict):
            rows += _flat(value, f"{head}{name}.")
        else:
            rows.append((f"{head}{name}", value))
    return rows


# -------------------------------------------------------------------------------------------------
# The user's theme: `settings.toml` in the configuration folder.
#
# theme = "affray-light"

OWN_THEME_FILE = "settings.toml"


def own_theme(choices: Iterable[str]) -> tuple[str, str]:
    """The theme that was chosen last, empty for none; and a line when that can't be had."""
    path = config_folder() / OWN_THEME_FILE
    try:
        theme = str(own_file(path).get("theme", ""))
    except (OSError, ValueError) as error:
        return "", f"{path} is not used: {os_error_text(error)}"
    if not theme or theme in choices:
        return theme, ""
    return "", f"{OWN_THEME_FILE}: {unknown_theme(theme, choices)}"


def keep_theme(theme: str) -> str:
    """Keep a theme for the next time. Gives a line on why not, or nothing when it is kept.

    What else stands in the file stays, comments too; one that can't be read is not written to.
    """
    path = config_folder() / OWN_THEME_FILE
    try:
        own_file(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path = Path(os.path.realpath(path))  # a link to it stays one
        was = read_bytes(path, MOST_BYTES) if path.exists() else None
        replace_file(path, was, with_key((was or b"").decode(), "theme", theme).encode())
    except (OSError, ValueError, Refused) as error:
        return f"the theme is not saved: {path}: {os_error_text(error)}"
    return ""


def unknown_theme(theme: str, choices: Iterable[str]) -> str:
    """The line for a theme that isn't known, with what is close, or all that there are."""
    names = sorted(choices)
    near = did_you_mean(theme, names) or f"; there are {join_or(names, 'and')}"
    return f"there is no theme called {theme!r}{near}"
