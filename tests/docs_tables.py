"""Makes the tables in docs that come of the program: rules, keys and commands.

`make tables` writes them; test_docs.py says when one is no longer what its source says. Such a
table stands between two comments, and what is around it is written by hand.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields
from tests.rulesets.monsters_and_magic import rules_table

from affray.core.commands.log_commands import SESSION_COMMANDS
from affray.core.engine.decide import CORE_COMMANDS
from affray.core.engine.settings import SETTINGS, Setting
from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedAura,
    ImportedCondition,
    ImportedCreature,
    ImportedDamage,
    ImportedFeature,
    ImportedSave,
    ImportedSpell,
    ImportedSpells,
)
from affray.rulesets import load_ruleset
from affray.store.importers import (
    EncounterMember,
    ImportContents,
    ImportedEncounter,
    ImportFormat,
)
from affray.tui.keymap import NUMBER, Keymap, key_label, keymap_for, lowered

DOCS = Path(__file__).parents[1] / "docs"
RULES = {
    "monsters-and-magic": "Monsters & Magic",
    "orcus": "Orcus",
    "level-up": "Level Up",
    "5e": "5e",
    "adventure-school": "Adventure School",
    "plain": "Plain",
}
"""The rule systems and their names."""
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


def shared_keys() -> str:
    """The keys that do the same in all games, in a row for each heading of the help."""
    keymaps = [keymap_for(load_ruleset(game)) for game in GAMES]
    rows = []
    for title, keys in keymaps[0].groups.items():
        told = []
        for key in keys:
            alike = [p for p in key.keys if {_label_at(each, p) for each in keymaps} == {key.label}]
            if alike:
                shown = "`1` … `9`" if key.id == NUMBER else " ".join(map(key_in_page, alike))
                told.append(f"{shown} {lowered(key.label)}")
        rows += [[title.lower(), " · ".join(told)]] if told else []
    return _table(["for", "keys"], rows)


def game_keys() -> str:
    """What each key does that isn't the same in all games."""
    keymaps = [keymap_for(load_ruleset(game)) for game in GAMES]
    pressed = {p for keymap in keymaps for p in keymap.by_key if not p.isdecimal()}
    labels = {p: [_label_at(keymap, p) for keymap in keymaps] for p in sorted(pressed, key=_order)}
    rows = [[key_in_page(p), *row] for p, row in labels.items() if len(set(row)) > 1]
    return _table(["key", *GAMES.values()], rows)


def other_acts() -> str:
    """What is pressed in each game for the acts that have no key in it."""
    rows = []
    for game, title in GAMES.items():
        keymap = keymap_for(load_ruleset(game))
        acts = sorted((key for key in keymap.keys if key.sequence), key=lambda key: key.shown)
        told = " · ".join(f"{_code(key.shown)} {lowered(key.label)}" for key in acts)
        rows.append([title, told])
    return _table(["game", "keys"], rows)


def shared_commands() -> str:
    """The usage of each command of every game, and what it does."""
    shared = [*CORE_COMMANDS.values(), *SESSION_COMMANDS.values()]
    return _commands([(each.usage, each.does) for each in shared])


def game_commands(game: str) -> str:
    """The usage of each command that is a game's own, and what it does."""
    ruleset = load_ruleset(game)
    techniques = ruleset.tables.techniques
    return _commands(
        [
            (c.usage, techniques[c.name].text if c.name in techniques else c.does)
            for c in ruleset.commands.values()
        ]
    )


def _commands(rows: Iterable[tuple[str, str]]) -> str:
    return _table(["command", "does"], [[_usage(usage), _cell(does)] for usage, does in rows])


def key_in_page(pressed: str) -> str:
    """A key as the page of keys shows it."""
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


def settings(rows: Iterable[Setting]) -> str:
    """What settings may be, the default first, and what they choose."""
    cells = [
        [
            f"`{row.name}`",
            ", ".join(f"`{value}`" for value in row.values)
            + (f", or {row.numbers[0]} to {row.numbers[1]}" if row.numbers else ""),
            row.text,
            "you alone" if row.gm_only else "everybody",
        ]
        for row in rows
    ]
    return _table(["setting", "values", "what it chooses", "who sees it"], cells)


def settings_of_games() -> str:
    """The settings of each game that has some of its own."""
    rows = {title: load_ruleset(game).settings for game, title in RULES.items()}
    return "\n\n".join(f"## {title}\n\n{settings(own)}" for title, own in rows.items() if own)


STRUCTS = (
    ImportFormat, ImportContents, ImportedEncounter, EncounterMember, ImportedCreature,
    ImportedFeature, ImportedAttack, ImportedDamage, ImportedSave, ImportedCondition, ImportedAura,
    ImportedSpells, ImportedSpell,
)  # fmt: skip
"""What an importer makes, in the order of its page."""


def importer_fields() -> str:
    """The fields of all that an importer makes, with their types and defaults."""
    return "\n\n".join(map(_fields, STRUCTS))


def _fields(struct: type[Struct]) -> str:
    about = inspect.cleandoc(struct.__doc__ or "")
    rows = re.findall(r"^(\w+) +(\S.*(?:\n {4,}.*)*)", about.partition("\n\n")[2], re.M)
    means = {name: " ".join(text.split()) for name, text in rows}
    cells = [
        [
            f"`{field.name}`",
            _code(re.sub(r"Annotated\[(\w+), .*\]", r"\1", struct.__annotations__[field.name])),
            "" if field.required else f"`{_default(field)!r}`",
            _cell(means.get(field.name, "")),
        ]
        for field in fields(struct)
    ]
    assert means.keys() <= {field.name for field in fields(struct)}, struct
    head = " ".join(about.partition("\n\n")[0].split())
    table = _table(["field", "type", "default", ""], cells)
    return f"## {struct.__name__}\n\n{head}\n\n{table}"


def _default(field: FieldInfo) -> Any:
    return field.default_factory() if field.default is NODEFAULT else field.default


MADE = {
    "The fields of importers": ("reference/importers.md", importer_fields),
    "The settings of every game": ("settings.md", partial(settings, SETTINGS)),
    "The settings of each game": ("settings.md", settings_of_games),
    "The rules": ("rules/monsters-and-magic.md", rules_table.table),
    "The keys of all games": ("keys.md", shared_keys),
    "The keys of each game": ("keys.md", game_keys),
    "Other acts": ("keys.md", other_acts),
    "The commands of every game": ("commands.md", shared_commands),
    **{
        f"The commands of {title}": (f"commands/{game}.md", partial(game_commands, game))
        for game, title in RULES.items()
    },
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
