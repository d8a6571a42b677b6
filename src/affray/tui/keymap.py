"""The one table of keys: what the footer, the help, the palette and the prompts all go by.

It is put together of three parts: keys that every fight has (below), the ruleset's techniques, and
the ruleset's own prompts. A key whose command the ruleset doesn't know is not offered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from affray.core.commands.session_verbs import SESSION_VERBS
from affray.core.heart.decide import verbs_of
from affray.core.rules.prompts import PromptRule
from affray.core.rules.ruleset import Option, Ruleset
from affray.tui.prompts.spec import PromptSpec, spec_of_prompt, spec_of_technique

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
}
"""How keys with names are written; all others are written as they are."""


class Key(Struct, frozen=True):
    """One entry of the table.

    id      what the user's configuration knows it by
    keys    the keys that do it; the first is the one that is shown
    label   two or three words for the footer
    group   the heading in the help
    what    one line for the help
    prompt  the command that it gives and what that asks for; None where it moves something on the
            screen only
    was     the keys that did it in earlier releases
    """

    id: str
    keys: tuple[str, ...]
    label: str
    group: str
    what: str
    prompt: PromptSpec | None = None
    was: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The first key as it is written."""
        return shown(self.keys[0]) if self.keys else ""


def lowered(label: str) -> str:
    """A label within a sentence."""
    return label[:1].lower() + label[1:]


def shown(key: str) -> str:
    """A key as it is written."""
    return SHOWN.get(key, key)


TURN, PEOPLE, FIGHT, LOG, SCREEN = "Turns", "Combatants", "The fight", "The log", "The screen"
TECHNIQUES, REACTIONS, RULES = "Techniques", "Reactions", "What happens"

NUMBER = "cursor.number"
"""The entry of the digits, which put the cursor on whoever has the number."""
COMMAND = "command"
"""The entry that opens the command bar."""
RULES = "rules"
"""The entry that looks rules up."""
INIT = "init"
"""The entry that asks for initiatives, one after the other."""
BEHIND_INIT = ("start", "init-all")
"""The entries that end that asking."""
LAST_ROLL = "last-roll"
"""The entry that asks the last roll again."""

_MOVES: tuple[Key, ...] = (
    Key("cursor.down", ("j", "down"), "down", SCREEN, "moves the cursor to the next in the order"),
    Key("cursor.up", ("k", "up"), "up", SCREEN, "moves the cursor to the one before"),
    Key(
        NUMBER,
        tuple("123456789"),
        "to a number",
        SCREEN,
        "puts the cursor on whoever has that number; a second digit makes it a longer one",
    ),
    Key("cursor.turn", ("0",), "who is up", SCREEN, "puts the cursor on whoever is up"),
    Key(LAST_ROLL, ("ctrl+e",), "last roll", LOG, "asks the last roll again, as its dice lie"),
    Key("help", ("?", "f1"), "help", SCREEN, "finds keys and commands, or lists them all"),
    Key(COMMAND, (":",), "command", SCREEN, "opens the command bar"),
    Key(
        RULES,
        ("/",),
        "rules",
        SCREEN,
        "finds any rule by a word of it, and any creature with its numbers, here or not",
    ),
    Key(
        "bring",
        ("ctrl+l",),
        "bring in",
        PEOPLE,
        "finds who is to join: party, bestiary and waves; `gho 3 hidden` enter brings three",
    ),
    Key(
        "aloud",
        ("ctrl+y",),
        "read aloud",
        FIGHT,
        "shows the texts that are to be read aloud, and the notes",
    ),
    Key("why", ("w",), "why", SCREEN, "says where the numbers under the cursor come from"),
    Key("odds", ("ctrl+f",), "odds", SCREEN, "plays the fight out many times: how it may end"),
    Key("players", ("ctrl+d",), "players' view", SCREEN, "shows the fight as the players see it"),
    Key("pane.next", ("tab",), "next pane", SCREEN, "goes to the next pane"),
    Key("pane.back", ("shift+tab",), "pane before", SCREEN, "goes to the pane before"),
    Key("jump", ("ctrl+g",), "jump", SCREEN, "shows a letter on each pane; that key goes there"),
    Key(
        "maximise", ("z",), "maximise", SCREEN, "gives one pane the whole screen, or takes it back"
    ),
    Key("scroll.down", ("pagedown",), "page down", SCREEN, "scrolls the pane that is chosen"),
    Key("scroll.up", ("pageup",), "page up", SCREEN, "scrolls the pane that is chosen"),
    Key("scroll.start", ("home",), "start", SCREEN, "goes to the start of the pane"),
    Key("scroll.end", ("end",), "end", SCREEN, "goes to the end of the pane"),
    Key("palette", ("ctrl+p",), "palette", SCREEN, "lists every action, to be found by typing"),
    Key("leave", ("escape",), "back", SCREEN, "leaves whatever is open, without a change"),
    Key("recap", ("ctrl+t",), "story", LOG, "tells the fight: who did what, and how it turned"),
    Key("home", ("ctrl+o",), "fights", SCREEN, "closes the fight, and goes to the list of fights"),
    Key("quit", ("ctrl+q",), "quit", SCREEN, "leaves the fight, which is saved already"),
    Key("answer", ("enter",), "answer", TURN, "answers what waits at the turn's edge"),
    Key("undo", ("u",), "undo", LOG, SESSION_VERBS["undo"].does),
    Key("ways", ("ctrl+u",), "undo list", LOG, "lists what can be undone and redone, and branches"),
    Key("redo", ("ctrl+r",), "redo", LOG, SESSION_VERBS["redo"].does),
    Key("look.back", (",",), "look back", LOG, "shows the fight as it was an entry ago; no change"),
    Key("look.forward", (".",), "look on", LOG, "goes on an entry, up to the present"),
    Key("entry.back", ("[",), "entry up", LOG, "selects the entry before; enter looks at it"),
    Key("entry.forward", ("]",), "entry down", LOG, "selects the entry after"),
)

_COMMANDS: Mapping[str, Mapping[str, PromptRule]] = {
    TURN: {
        "next": PromptRule(key="space", was="n", label="Next turn", command="next"),
        "start": PromptRule(key="S", label="Start the fight", command="start"),
        "delay": PromptRule(key="W", label="Delay", command="delay"),
        "return": PromptRule(
            key="B",
            label="Come back",
            command="return",
            asks=("person:waiting",),
            nobody="nobody has delayed",
        ),
        "swap": PromptRule(key="J", label="Let ally first", command="swap", asks=("ally",)),
        INIT: PromptRule(
            key="i", label="Initiative", command="init", asks=("self:unplaced", "number:roll")
        ),
        "init-all": PromptRule(key="I", label="Roll initiative", command="init roll"),
        "end": PromptRule(key="E", label="End the fight", command="end", asks=("sure",)),
    },
    PEOPLE: {
        "add": PromptRule(
            key="a", label="Add", command="add", asks=("line",), example="monster Ghoul x2 {foe}"
        ),
        "wave": PromptRule(key="ctrl+n", label="Next wave", command="wave"),
        "keep": PromptRule(
            key="ctrl+k", label="Keep", command="keep", asks=("self", "choice:party|bestiary?")
        ),
        "reveal": PromptRule(
            key="V",
            label="Conceal / reveal",
            command="conceal",
            asks=("targets", "verb:conceal|reveal"),
        ),
        "set": PromptRule(key="Q", label="Set", command="set", asks=("self", "track", "number")),
        "take-out": PromptRule(key="X", label="Take out", command="leave", asks=("targets",)),
    },
    FIGHT: {
        "note": PromptRule(key="y", label="Note", command="note", asks=("text",)),
        "clock": PromptRule(
            key="L", label="Clock", command="clock", asks=("clock", "line"), example="4d6 slow"
        ),
        "setting": PromptRule(
            key="P",
            label="House rule",
            command="setting",
            asks=("line",),
            example="dynamic-initiative on",
        ),
    },
    LOG: {
        "goto": PromptRule(key="N", label="Go to entry", command="goto", asks=("number",)),
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
    moved       by a key of earlier releases the entry that it was for
    for_own     those of prompts that ask for an option of the actor's own
    complaints  lines about entries that could not be had
    """

    def __init__(self, keys: Iterable[Key], own: Mapping[str, str] | None = None) -> None:
        self.complaints: list[str] = []
        self.keys = self._each_once(self._with_own(tuple(keys), own or {}))
        self.by_key = {pressed: key for key in self.keys for pressed in key.keys}
        self.by_id = {key.id: key for key in self.keys}
        self.groups: dict[str, list[Key]] = {}
        for key in self.keys:
            self.groups.setdefault(key.group, []).append(key)
        mine = {pressed for keys in (own or {}).values() for pressed in keys.split()}
        self.moved = {
            pressed: key
            for key in self.keys
            for pressed in key.was
            if key.keys and pressed not in mine
        }
        self.for_own = [key for key in self.keys if key.prompt and key.prompt.asks_own]

    def _with_own(self, keys: tuple[Key, ...], own: Mapping[str, str]) -> tuple[Key, ...]:
        known = {key.id for key in keys}
        for wrong in (name for name in own if name not in known):
            self.complaints.append(f"there is no key called {wrong!r}; `?` lists their names")
        mine = {name: tuple(pressed.split()) for name, pressed in own.items() if name in known}
        taken = {pressed for row in mine.values() for pressed in row}
        return tuple(
            replace(key, keys=mine[key.id]) if key.id in mine else self._without(key, taken)
            for key in keys
        )

    def _without(self, key: Key, taken: set[str]) -> Key:
        """The entry without the keys that the user has given to others."""
        left = tuple(pressed for pressed in key.keys if pressed not in taken)
        if key.keys and not left:
            self.complaints.append(f"{key.id} has lost its key {key.shown}, and has none now")
        return replace(key, keys=left)

    def _each_once(self, keys: tuple[Key, ...]) -> tuple[Key, ...]:
        """The entries with the keys that they can have: each is had by the first that wants it."""
        has: dict[str, str] = {}
        for key in keys:
            for pressed in key.keys:
                other = has.setdefault(pressed, key.id)
                if other != key.id:
                    self.complaints.append(
                        f"the key {shown(pressed)} is wanted by {other} and {key.id}: "
                        f"{other} has it"
                    )
        return tuple(
            replace(key, keys=tuple(pressed for pressed in key.keys if has[pressed] == key.id))
            for key in keys
        )

    def find(self, pressed: str) -> Key | None:
        """What a key does; None when it does nothing."""
        return self.by_key.get(pressed)

    def of_technique(self, technique: str) -> Key | None:
        """The key of a technique."""
        return self.by_id.get(f"technique.{technique}")

    def of_own(self, option: Option) -> Key | None:
        """The key that begins an option of the actor's own: of the command that it is called by,
        `power Roar`; else the game's prompt for what is one's own."""
        begun, keys = option.technique.partition(" ")[0], self.for_own
        called = (key for key in keys if key.prompt is not None and key.prompt.command == begun)
        return next(called, next((key for key in keys if key.group == RULES), None))


def keymap_for(ruleset: Ruleset, own: Mapping[str, str] | None = None) -> Keymap:
    """The keys of a ruleset's fight; `own` are the user's, from an id to one or more keys."""
    order = (TURN, TECHNIQUES, REACTIONS, RULES, PEOPLE, FIGHT, LOG, SCREEN)
    keys = [*_command_keys(ruleset), *_technique_keys(ruleset), *_MOVES]
    return Keymap(sorted(keys, key=lambda key: order.index(key.group)), own)


def _command_keys(ruleset: Ruleset) -> list[Key]:
    """The keys of commands: of those that every game has, and of the game's own."""
    verbs = verbs_of(ruleset)
    made: list[Key] = []
    does = {name: verb.does for name, verb in SESSION_VERBS.items()}
    does |= {name: verb.does for name, verb in verbs.items()}
    rows = [(name, group, rule) for group, row in _COMMANDS.items() for name, rule in row.items()]
    rows += [(f"prompt.{name}", RULES, rule) for name, rule in ruleset.tables.prompts.items()]
    for name, group, rule in rows:
        word = rule.command.partition(" ")[0]
        if word in does:
            prompt = spec_of_prompt(name, rule, verbs)
            what = rule.text if group == RULES else does[word]
            keys, was = tuple(rule.key.split()), tuple(rule.was.split())
            made.append(Key(name, keys, prompt.label, group, what, prompt, was))
    return made


def _technique_keys(ruleset: Ruleset) -> list[Key]:
    tables, verbs = ruleset.tables, verbs_of(ruleset)
    made = []
    for name, technique in tables.techniques.items():
        prompt = spec_of_technique(name, technique, verbs, tables.prompts.get(name))
        if prompt.command.split()[0] in verbs:
            group = REACTIONS if technique.reaction else TECHNIQUES
            keys, was = tuple(technique.key.split()), tuple(technique.was.split())
            made.append(Key(prompt.id, keys, prompt.label, group, technique.text, prompt, was))
    return made
