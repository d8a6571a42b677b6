"""Every attack of Orcus' sheet, used by its command: it rolls against its defence, with its bonus,
and what it says that it inflicts is inflicted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from affray.core.dice import SeededDice
from affray.core.engine.decide import Decision, decide
from affray.core.engine.events import Rolled
from affray.core.engine.state import Encounter
from affray.rulesets import load_ruleset
from affray.store.importers.detect import read_files
from affray.store.importers.run_import import BestiaryRow, made_of

DEFENCES = {"AC": 5, "Fortitude": 6, "Reflex": 7, "Will": 8}

# What the sheet says: type, action, frequency, tags, range, bonus, defence, effect; what a hit
# inflicts, with how that ends; and whether it hurts.
SHAPES: tuple[tuple[tuple[Any, ...], dict[str, str], bool], ...] = (
    (
        ("Basic Melee", "standard", "at-will", "Weapon", "Reach 2", 9, "AC", "1d8+3 damage."),
        {},
        True,
    ),
    (
        ("Basic Ranged", "standard", "at-will", "", "Ranged 10/20", 8, " AC ", "1d8 damage."),
        {},
        True,
    ),
    (
        ("Melee", "standard", "at-will", "", "", 9, "Fortitude",
         "The target is dazed (save ends)."),
        {"dazed": "save"},
        False,
    ),
    (
        ("Near", "standard", "encounter", "", "Near burst 2", 9, "Reflex",
         "2d6+2 fire damage, and the target is slowed and weakened (save ends both)."),
        {"slowed": "save", "weakened": "save"},
        True,
    ),
    (
        ("Far", "swift", "refresh 5, 6", "Psychic", "Far burst 1 within 10", 9, "Will",
         "The target is stunned until the end of their next turn."),
        {"stunned": "turn"},
        False,
    ),
    (
        ("Melee", "move", "daily", "", "", 9, "Ref", "1d6 damage and the target is knocked prone."),
        {"prone": "removed"},
        True,
    ),
    (
        ("Melee", "free", "once per round", "", "", 9, "Fort",
         "The target takes persistent 5 poison damage (save ends)."),
        {"persistent": "save"},
        False,
    ),
    (
        ("Ranged", "reaction", "encounter", "", "When it is hit: Ranged 5", 9, "Will",
         "The target is dominated (save ends)."),
        {"controlled": "save"},
        False,
    ),
    (
        ("Melee", "counter", "encounter, refreshes when first staggered", "", "", 9, "AC",
         "3d6+2 damage, and the target is grappled."),
        {"grappled": "removed"},
        True,
    ),
    (
        ("Melee", "at-will", "encounter", "", "", 9, "AC", "dazed (save ends). *Miss:* Half."),
        {"dazed": "save"},
        False,
    ),
    (
        ("Melee", "standard", "refresh 6", "", "", 9, "AC",
         "1d6 damage, and the target is slowed (save ends). If it is slowed, it is stunned."),
        {"slowed": "save"},
        True,
    ),
    (
        ("Melee", "standard", "at-will", "", "", 9, "AC",
         "2d6 damage. *Effect:* The crab is invisible until the end of its next turn."),
        {},
        True,
    ),
    (
        ("Melee", "standard", "at-will", "", "", 9, "AC",
         "1d6 damage, and the target is marked until the end of the encounter."),
        {"marked": "fight"},
        True,
    ),
    (
        ("Melee", "standard", "at-will", "", "", None, "",
         "+9 vs Will; 2d8 psychic damage and the target is rattled (save ends)."),
        {"rattled": "save"},
        True,
    ),
)  # fmt: skip


def crab(folder: Path, fields: tuple[Any, ...]) -> BestiaryRow:
    """The row of a monster whose one power has those fields."""
    names = ("Type", "Action", "Frequency", "Tags", "Range", "Attack Bonus", "Defense", "Effect")
    power = {f"Power 1 - {name}": value for name, value in zip(names, fields, strict=True)}
    monster = {"Name": "Marsh Crab", "Level": 4, "HP": 40, "AC": 18, "Fort": 17, "Ref": 15}
    file = folder / "monsters.json"
    file.write_text(json.dumps([monster | {"Will": 14, "Power 1 - Name": "Snap"} | power]), "utf-8")
    (creature,) = read_files(file)[0].contents.creatures
    return made_of(load_ruleset("orcus"), creature)


def used(made: BestiaryRow) -> Decision:
    """What comes of its one attack, against Mira, on a 19."""
    plain = load_ruleset("orcus")
    ruleset = replace(plain, tables=replace(plain.tables, bestiary={made.key: made.row}))
    state = Encounter(ruleset="orcus")
    for line in ("add pc Mira hp 99 ac 5 fort 6 ref 7 will 8", f"add {made.key}"):
        state = decide(state, line, ruleset, SeededDice(3)).state
    is_attack = "attack" in made.row
    line = 'attack mira natural 19 with "Snap"' if is_attack else 'power "Snap" mira natural 19'
    return decide(state, f"{line} by marsh-crab", ruleset, SeededDice(3))


@pytest.mark.parametrize(("fields", "inflicted", "hurts"), SHAPES)
def test_every_attack_is_rolled_and_inflicts_what_it_says(
    fields: tuple[Any, ...], inflicted: dict[str, str], hurts: bool, tmp_path: Path
) -> None:
    came = used(crab(tmp_path, fields))
    roll = next(event for event in came.events if isinstance(event, Rolled))
    against = str(fields[6]).strip()[:3] or "Wil"
    dc = next(value for name, value in DEFENCES.items() if name.startswith(against))
    assert (roll.total, roll.dc, roll.outcome) == (19 + (fields[5] or 9), dc, "hit")
    mira = came.state["mira"]
    ends = {effect.name: effect.until.ends if effect.until else "" for effect in mira.effects}
    assert ends == inflicted
    assert (mira.track("hp") < 99) == hurts
