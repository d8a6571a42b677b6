"""Makes the tables in docs that come of the program: rules, keys and commands.

`make tables` writes them; test_docs.py says when one is no longer what its source says. Such a
table stands between two comments, and what is around it is written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from tests.rulesets.monsters_and_magic import rules_table

from affray.core.commands.log_commands import SESSION_COMMANDS
from affray.core.engine.decide import CORE_COMMANDS
from affray.rulesets import load_ruleset
from affray.tui.keymap import NUMBER, OTHER, KeyBinding, Keymap, key_label, keymap_for, lowered

DOCS = Path(__file__).parents[1] / "docs"
GAMES = {
    "monsters-and-magic": "M&M",
    "orcus": "Orcus",
    "level-up": "Level Up",
    "adventure-school": "Adventure School",
    "plain": "plain",
    "5e": "5e",
}
"""The rule systems with what heads their columns."""
NONE = "–"


def main_keys() -> str:
    """The keys of Monsters & Magic, in a row for each heading of the help."""
    groups = keymap_for(load_ruleset("monsters-and-magic")).groups
    rows = [
        [
            title.lower(),
            " · ".join(f"{_pressed(key)} {lowered(key.label)}" for key in keys if key.keys),
        ]
        for title, keys in groups.items()
    ]
    behind = [key for keys in groups.values() for key in keys if key.sequence]
    told = " · ".join(f"{_code(key.shown)} {lowered(key.label)}" for key in behind)
    return _table(["for", "keys"], [*rows, ["other acts", told]])


def every_key() -> str:
    """What each key does: those that are the same in all games, then the others by game."""
    keymaps = [keymap_for(load_ruleset(game)) for game in GAMES]
    pressed = {p for keymap in keymaps for p in keymap.by_key if not p.isdecimal()}
    labels = {p: [_label_at(keymap, p) for keymap in keymaps] for p in sorted(pressed, key=_order)}
    alike = [[_key(p), row[0]] for p, row in labels.items() if len(set(row)) == 1]
    others = [[_key(p), *row] for p, row in labels.items() if len(set(row)) > 1]
    return "\n\n".join(
        [
            "The same in all games, as are the digits, which are [numbers](#the-cursor):",
            _table(["key", "does"], alike),
            "What is not the same in all of them:",
            _table(["key", *GAMES.values()], others),
            f"Behind `{key_label(_opens(keymaps))}`, with letters of their names:",
            _table(["act", *GAMES.values()], _other_acts(keymaps)),
        ]
    )


def _opens(keymaps: list[Keymap]) -> str:
    """The key of the other acts, which is one in all games."""
    (pressed,) = {keymap.by_id[OTHER].keys[0] for keymap in keymaps}
    return pressed


def _other_acts(keymaps: list[Keymap]) -> list[list[str]]:
    """What is pressed in each game for the acts that have no key in some game."""
    shown = [{key.label.capitalize(): key for key in keymap.keys} for keymap in keymaps]
    acts = sorted({act for game in shown for act, key in game.items() if key.sequence})
    return [[act, *(_shown(game.get(act)) for game in shown)] for act in acts]


def _shown(key: KeyBinding | None) -> str:
    return NONE if key is None else _code(key.shown)


def every_command() -> str:
    """The usage of each command, and what it does: those of every game, then each game's own."""
    shared = [*CORE_COMMANDS.values(), *SESSION_COMMANDS.values()]
    sections = [("Every game", [(each.usage, each.does) for each in shared])]
    for ruleset in map(load_ruleset, GAMES):
        techniques = ruleset.tables.techniques
        told = [
            (c.usage, techniques[c.name].text if c.name in techniques else c.does)
            for c in ruleset.commands.values()
        ]
        sections.append((ruleset.name, told))
    return "\n\n".join(
        f"## {title}\n\n"
        + _table(["command", "does"], [[_usage(usage), _cell(does)] for usage, does in rows])
        for title, rows in sections
    )


def _pressed(key: KeyBinding) -> str:
    if key.id == NUMBER:
        return "`1` … `9`"
    return " ".join(map(_key, key.keys))


def _key(pressed: str) -> str:
    return _code("enter" if pressed == "enter" else key_label(pressed))


def _label_at(keymap: Keymap, pressed: str) -> str:
    key = keymap.by_key.get(pressed)
    return key.label if key is not None else NONE


def _order(pressed: str) -> tuple[bool, str]:
    """Letters first, a small one before its capital; then signs, then keys with names."""
    return (len(pressed) > 1, not pressed.isalpha(), pressed.casefold(), pressed.isupper())


def _code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{_cell(text)}`"


def _usage(text: str) -> str:
    """The ways to write a command, each in a line of its own."""
    return "<br>".join(map(_code, re.split(rf" \| (?={text.split()[0]} )", text)))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    titles = list(head)
    lines = [f"| {' | '.join(cells)} |" for cells in (titles, *rows)]
    return "\n".join([lines[0].replace("|  |", "| |"), f"|{'---|' * len(titles)}", *lines[1:]])


MADE = {
    "The rules": ("monsters-and-magic.md", rules_table.table),
    "The keys of Monsters & Magic": ("keys.md", main_keys),
    "Every key": ("keys.md", every_key),
    "Every command": ("command-list.md", every_command),
}
"""The page of each table, and what makes it."""


def page_with(name: str) -> tuple[Path, str]:
    """The page of a table, with the table as it has to be."""
    page, table = MADE[name]
    begin = f"<!-- {name}: `make tables` writes it. -->\n"
    end = f"<!-- {name}: end. -->\n"
    before, _, rest = (DOCS / page).read_text("utf-8").partition(begin)
    assert end in rest, f"{page} has no place for it"
    return DOCS / page, f"{before}{begin}\n{table().strip()}\n\n{end}{rest.partition(end)[2]}"


if __name__ == "__main__":
    for name in MADE:
        path, text = page_with(name)
        path.write_text(text, "utf-8", newline="\n")
