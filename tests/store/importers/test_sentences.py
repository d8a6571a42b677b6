"""Sentences of stat blocks by kind, each with what comes of it in a row of 5e.

The tables lie in `sentences`: a sentence, and below it, set in, what the row has for it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affray.core.rules.imported_creature import ImportedCreature
from affray.rulesets import load_ruleset
from affray.store.importers import foundry, import_each, with_acts_and_spells
from affray.store.importers.foundry_formulas import ATTACKS
from affray.store.importers.run_import import made_of
from affray.store.importers.stat_block import parse_stat_block, types_of
from affray.store.importers.values import ABILITIES

FOLDER = Path(__file__).with_name("sentences")


def table(kind: str) -> list[tuple[str, str]]:
    """Each sentence of a kind with what comes of it."""
    lines = (FOLDER / f"{kind}.txt").read_text("utf-8").splitlines()
    rows = [line for line in lines if line and not line.startswith("#")]
    return [
        (line, after[4:] if after.startswith("    ") else "")
        for line, after in zip(rows, [*rows[1:], ""], strict=True)
        if not line.startswith("    ")
    ]


def row_of(list_name: str, name: str, text: str) -> str:
    """What a row of 5e has of a feature, without its name and its text."""
    block = {"name": "Fen Thing", "hp": 30, "ac": 12, list_name: [{"name": name, "desc": text}]}
    found = import_each([block], lambda row: parse_stat_block(row, game="5e"), str)
    return words_of(with_acts_and_spells(found).creatures[0])


def words_of(creature: ImportedCreature) -> str:
    """The words of the first attack or power that a creature's row has."""
    row = made_of(load_ruleset("5e"), creature).row
    words = [*row.get("attack", ()), *row.get("power", ())][0]
    return str(words).partition('" ')[2].partition('text "')[0].strip()


def of_trait(text: str) -> str:
    return row_of("traits", "Murk", text)


def of_action(text: str) -> str:
    return row_of("actions", "Murk", text)


def of_name(name: str) -> str:
    """How often, and what it takes, by a name alone."""
    return row_of("actions", name, "The thing acts.")


def of_list(line: str) -> str:
    """What an act takes of a turn, by `LIST | NAME | TEXT`."""
    list_name, name, text = line.split(" | ")
    return row_of(list_name, name, text)


def of_resistance(text: str) -> str:
    """The types that a row has, and behind a bar what stays a sentence."""
    types, rest = types_of(text)
    return " | ".join(filter(None, (", ".join(types), rest)))


def of_item(line: str) -> str:
    """What comes of an item of Foundry: `mwak 1d8+@mod:slashing save:con:12 | its text`."""
    head, _, text = line.partition("| ")
    data: dict[str, Any] = {"description": {"value": text}, "damage": {"parts": []}}
    data |= {"activation": {"type": "action", "cost": 1}, "range": {"value": 5, "units": "ft"}}
    for word in head.split():
        what, *rest = word.split(":")
        if what == "save":
            data["save"] = {"ability": rest[0], "dc": int(rest[1]), "scaling": "flat"}
        elif what == "formula":
            data["formula"] = rest[0]
        elif what in ATTACKS:
            data |= {"actionType": what, "ability": "str"}
        else:
            data["damage"]["parts"].append([what, *rest, ""][:2])
    kind = "weapon" if data.get("actionType", "x")[1:] == "wak" else "feat"
    scores = {name: {"value": 16 if name == "str" else 10} for name in ABILITIES}
    actor = {
        "name": "Fen Thing",
        "type": "npc",
        "items": [{"_id": "murk", "name": "Murk", "type": kind, "system": data}],
        "system": {
            "abilities": scores,
            "attributes": {"hp": {"value": 30, "max": 30}, "ac": {"flat": 12, "calc": "flat"}},
            "details": {"cr": 2},
        },
    }
    return words_of(foundry.import_data(actor).creatures[0])


KINDS: dict[str, Callable[[str], str]] = {
    "auras": of_trait,
    "cases": of_action,
    "choices": of_action,
    "limits": of_name,
    "nonmagical": of_resistance,
    "ranges": of_action,
    "save-and-attack": of_item,
    "takes": of_list,
    "versatile": of_action,
    "damage": of_action,
    "ends": of_action,
    "reach-of-conditions": of_action,
    "repeated": of_action,
    "whose-save": of_action,
}


@pytest.mark.parametrize(
    ("kind", "sentence", "comes"),
    [(kind, *row) for kind in KINDS for row in table(kind)],
)
def test_a_sentence_comes_to_what_it_says(kind: str, sentence: str, comes: str) -> None:
    assert KINDS[kind](sentence) == comes


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_fifty_sentences(kind: str) -> None:
    assert len({sentence for sentence, _ in table(kind)}) >= 50
