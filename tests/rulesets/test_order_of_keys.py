"""The order of keys in a table means nothing: a row is the same creature however it is written."""

from __future__ import annotations

import random
from itertools import permutations
from pathlib import Path

import pytest
from msgspec.structs import replace

from affray.core.commands.queries import preview_row
from affray.core.engine.state import Combatant
from affray.core.rules.ruleset import Ruleset
from affray.rulesets import load_ruleset
from affray.store.campaigns.campaign_rules import campaign_rules

SAMPLES = sorted(Path(__file__).parents[2].joinpath("campaigns").iterdir())
TRIES = 6


def as_row_has_it(rules: Ruleset, key: str, row: dict[str, object]) -> Combatant:
    rows = {**rules.tables.bestiary, key: row}
    return preview_row(replace(rules, tables=replace(rules.tables, bestiary=rows)), key).who


def compared(who: Combatant) -> tuple[object, ...]:
    """All of somebody; of their lists, what is in them, since that of one key is as it is there."""
    return who.name, who.kind, who.side, who.stats, who.tracks, who.effects


@pytest.mark.parametrize("folder", SAMPLES, ids=lambda folder: folder.name)
def test_a_row_of_a_sample_is_the_same_creature_in_any_order(folder: Path) -> None:
    rules, rng = campaign_rules(folder), random.Random(7)
    for key, row in rules.tables.bestiary.items():
        was = compared(preview_row(rules, key).who)
        orders = [sorted(row), sorted(row, reverse=True)]
        orders += [rng.sample(list(row), len(row)) for _ in range(TRIES)]
        for order in orders:
            now = as_row_has_it(rules, key, {field: row[field] for field in order})
            assert compared(now) == was, (key, order)


@pytest.mark.parametrize(
    ("game", "row", "stat", "value"),
    [
        (
            "level-up",
            {
                "hp": 40,
                "ac": 15,
                "power": ["Tail legendary 2 +7 1d8 bludgeoning", "Hide trait"],
                "legendary": 3,
            },
            "legendary",
            3,
        ),
        (
            "5e",
            {"hp": 40, "ac": 15, "power": ["Tail legendary 2 +7 1d8 bludgeoning"], "legendary": 3},
            "legendary",
            3,
        ),
        (
            "adventure-school",
            {"hp": 40, "ac": 15, "ability": ["Hew +8 vs ac 2d6 slashing"], "stamina": 5},
            "stamina",
            5,
        ),
        (
            "adventure-school",
            {"hp": 40, "ac": 15, "ability": ["Hew spirit 1 +8 vs ac 2d6 slashing"], "spirit": 4},
            "spirit",
            4,
        ),
    ],
)
def test_what_a_power_can_have_too_is_the_creatures_own_where_it_is_its_key(
    game: str, row: dict[str, object], stat: str, value: int
) -> None:
    rules = load_ruleset(game)
    for order in (list(row), list(reversed(row))):
        who = as_row_has_it(rules, "runa", {field: row[field] for field in order})
        top = who.tracks[stat].max if stat in who.tracks else who.stats[stat]
        assert top == value
        assert compared(who) == compared(as_row_has_it(rules, "runa", row))


POWERS = [
    ("monsters-and-magic", "powers", {"ap": 2, "uses": 1, "per": "day", "text": "All are pulled."}),
    (
        "orcus",
        "power",
        {
            "refresh": 5,
            "attack": "+9 vs reflex 1d8 acid ranged",
            "plus": "1d4 fire",
            "inflicts": ["slowed save-ends", "marked user-end"],
        },
    ),
    (
        "level-up",
        "power",
        {"recharge": 5, "save": "dex dc 14 8d6 fire half inflicts prone", "text": "A cone."},
    ),
    (
        "5e",
        "power",
        {"recharge": 5, "save": "dex dc 14 8d6 fire half inflicts prone", "magical": True},
    ),
    (
        "adventure-school",
        "ability",
        {
            "fast": True,
            "uses": 1,
            "per": "fight",
            "save": "social reflex dc 13 2d6 psychic half inflicts terrified target-end",
        },
    ),
]


@pytest.mark.parametrize(("game", "word", "row"), POWERS, ids=[game for game, _, _ in POWERS])
def test_a_campaigns_power_is_the_same_in_any_order(
    game: str, word: str, row: dict[str, object]
) -> None:
    rules = load_ruleset(game)
    creature = {"hp": 40, word: ["breath"]} | ({} if game == "monsters-and-magic" else {"ac": 15})

    def powers(order: tuple[str, ...]) -> dict[str, object]:
        rows = {**rules.tables.powers, "breath": {field: row[field] for field in order}}
        own = replace(rules, tables=replace(rules.tables, powers=rows))
        return as_row_has_it(own, "drake", creature).stats

    assert all(powers(order) == powers(tuple(row)) for order in permutations(row))
