"""`?`: every key by its heading and every command with its usage, and the keys of the list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from affray.core.commands.session_verbs import SESSION_VERBS
from affray.core.heart.decide import verbs_of
from affray.core.rules.ruleset import Option, Ruleset
from affray.store.campaigns.finding import campaign_folders
from affray.tui.drawing import Line, cut, plain
from affray.tui.keymap import Key, Keymap, shown
from affray.tui.own_keys import config_folder
from affray.tui.sheets.contents import Contents, row_line, wrapped_lines
from affray.tui.sheets.finding import found, sought
from affray.tui.themes import Inks

KEY_CELLS = 15
LABEL_CELLS = 18
LEAST_WHAT = 16


ALSO: Mapping[str, str] = {
    "add": "join joins newcomer late reinforcements new somebody someone monster",
    "take-out": "remove somebody leaves flees gone",
    "palette": "theme themes colours colors dark light contrast actions",
    "init": "order",
    "delay": "wait hold",
    "swap": "tie order before",
    "undo": "mistake wrong back",
    "last-roll": "reroll mistake forgot change amend",
    "goto": "travel time earlier",
    "set": "correct change fix",
    "quit": "exit close leave save",
    "home": "exit close open another encounter",
    "clock": "countdown race timer",
    "reveal": "secret players",
    "why": "explain number",
    "odds": "chance forecast win lose predict",
    "maximise": "zoom large full",
    "note": "write remember",
}
"""Words that a GM may look for and that stand in no text, by the ids of keys."""


class Told(NamedTuple):
    """A key, a command, or what else the help tells.

    pressed  how its keys are written; empty for what has none
    label    what it is called
    what     what it does
    more     what else there is to say of it, a line each
    keys     its keys by their names, which find it
    also     other words that find it
    """

    pressed: str
    label: str
    what: str
    more: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    also: str = ""


class Help(Contents[Told]):
    """Rows under headings; typed words narrow them, and the headings go."""

    NAME = "Keys and commands"
    KEY = "help"
    SHARE = 70

    def __init__(self, rows: Sequence[Told | str]) -> None:
        self._rows = rows
        self._known = []
        heading = ""
        for row in rows:
            if isinstance(row, str):
                heading = row
            else:
                said = (heading, row.pressed, row.what, *row.more, row.also)
                self._known.append((sought(row.label, said, row.keys), row))

    def rows(self, query: str) -> Sequence[Told | str]:
        """What fits, or everything by its headings."""
        return found(self._known, query) if query.strip() else self._rows

    def line(self, row: Told, number: int, width: int, inks: Inks, chosen: bool) -> Line:
        """`g  Grapple  holds somebody`"""
        line = row_line(chosen, inks)
        line.add(row.pressed, inks.accent).column(KEY_CELLS)
        room = max(width - line.width, 0)
        if not row.label:
            return line.add(cut(plain(row.what), room), inks.plain)
        most = LABEL_CELLS - 2 if row.pressed else room
        line.add(cut(plain(row.label), min(most, room)), inks.plain)
        room = width - max(line.width + 2, KEY_CELLS + LABEL_CELLS)
        if room >= LEAST_WHAT:
            line.column(width - room).add(cut(plain(row.what), room), inks.dim)
        return line

    def told(self, row: Told, width: int, inks: Inks) -> list[Line]:
        """The whole of it."""
        begun = Line().add(row.pressed, inks.accent).add("  " if row.pressed else "")
        title, *rest = wrapped_lines([row.label], width, inks.strong)
        lines = [begun.join(title), *rest, *wrapped_lines([row.what], width, inks.plain)]
        return lines + wrapped_lines(row.more, width, inks.dim)


def fight_help(keymap: Keymap, ruleset: Ruleset, own: Sequence[Option]) -> Help:
    """The keys and commands of a fight, with what is the actor's own."""
    rows: list[Told | str] = []
    for group, keys in keymap.groups.items():
        rows += [group, *(_key(key) for key in keys)]
    begins = keymap.of_own(own[0]) if own else None
    if begins is not None:
        rows.append(f"{begins.label}: {begins.shown}, and letters of the name")
        rows += [Told("", option.name, option.text or option.reason) for option in own]
    rows += ["In a prompt", *(Told(pressed, "", what) for pressed, what in in_a_prompt(ruleset))]
    rows += ["Commands, for the : bar", *_commands(ruleset)]
    names = ", ".join(key.id for key in keymap.keys)
    where = f'NAME = "KEY" in {config_folder()}, with these names: {names}'
    return Help([*rows, "Keys of your own", Told("", "keys.toml", where)])


def home_help(keys_of_the_list: Iterable[tuple[str, str, str]]) -> Help:
    """The keys of the list of fights, and where things are looked for."""
    keys = [
        Told(pressed, label, does, keys=(pressed,)) for pressed, label, does in keys_of_the_list
    ]
    folders = [Told("", f"{folder}", "is looked through") for folder in campaign_folders()]
    own = Told("", f"{config_folder()}", "has keys.toml and settings.toml")
    return Help(["The fights", *keys, "Campaigns", *folders, "Your own", own])


def _key(key: Key) -> Told:
    pressed = _pressed([shown(k) for k in key.keys])
    more = [f"gives the command {key.prompt.command}"] if key.prompt and key.prompt.command else []
    more.append(f"in keys.toml: {key.id}")
    return Told(pressed, key.label, key.what, tuple(more), key.keys, ALSO.get(key.id, ""))


def _pressed(keys: Sequence[str]) -> str:
    """The keys as they are written; of too many for their column the first and the last."""
    written = " ".join(keys) or "–"
    return written if len(written) <= KEY_CELLS - 4 else f"{keys[0]} … {keys[-1]}"


def _commands(ruleset: Ruleset) -> list[Told]:
    rows = [(name, verb.usage, verb.does) for name, verb in verbs_of(ruleset).items()]
    rows += [(name, verb.usage, verb.does) for name, verb in SESSION_VERBS.items()]
    return [Told(":", name, does, (usage,) if usage else ()) for name, usage, does in sorted(rows)]


def in_a_prompt(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """The keys of prompts, with what they answer."""
    yield "1 2 … 12", "somebody by their number on the list; j and k move what is offered"
    yield (
        "1,3-5 F P A",
        "several: numbers, foes, party, all; = as before, h half for those named last",
    )
    outcomes = ruleset.tables.outcomes
    if outcomes:
        words = ", ".join(rule.label or word for word, rule in outcomes.items())
        called = f"the outcome as it was called: {words}"
        yield " ".join(rule.key for rule in outcomes.values()), called
    yield "C B …", "capital letters: what else there is to say of it, as they are shown"
    yield "n15", "the die as it lies; a and d behind it for advantage and disadvantage"
    yield "r", "the app rolls; for those whom the GM plays an enter is enough"
    yield "↵", "takes what is offered, and gives the command as soon as nothing is missing"
    yield "space tab", "takes what is offered, and goes on to the next answer"
    yield "bksp", "takes back the last key, then goes back an answer"
    yield "/", "the rules of what is asked for, except in a text; esc comes back to the prompt"
    yield "esc", "leaves without a change"
