"""A campaign's own powers, which sheets name: as if the sheet said them, or refused."""

from __future__ import annotations

from json import dumps

import pytest
from tests.house.playing import GAMES, HouseFight, ruleset_with

from affray.core.parser.errors import Refused
from affray.rulesets import load_ruleset

ROWS = {
    "monsters-and-magic": (
        'ap = 2\nuses = 1\nper = "rest"\nthread = true\ntext = "All \\"here\\" sink."',
        'powers Undertow ap 2 uses 1 per rest thread text "All here sink."',
    ),
    "orcus": (
        'refresh = 5\nswift = true\nattack = "+9 vs reflex 1d8 acid ranged"\nplus = "1d4 fire"\n'
        'inflicts = ["slowed,dazed save-ends", "marked user-end"]',
        "power Undertow refresh 5 swift +9 vs reflex 1d8 acid ranged plus 1d4 fire"
        " inflicts slowed,dazed save-ends inflicts marked user-end",
    ),
    "level-up": (
        'legendary = 2\nattack = "+7 1d8+4 cold"\nplus = ["1d6 fire", "2 acid"]\n'
        'save = "con dc 13 2d8 poison half inflicts poisoned"',
        "power Undertow legendary 2 +7 1d8+4 cold plus 1d6 fire plus 2 acid"
        " save con dc 13 2d8 poison half inflicts poisoned",
    ),
    "5e": (
        'legendary = 2\nattack = "+7 1d8+4 cold"\nplus = ["1d6 fire", "2 acid"]\n'
        'save = "con dc 13 2d8 poison half inflicts poisoned"\nmagical = true',
        "power Undertow legendary 2 magical +7 1d8+4 cold plus 1d6 fire plus 2 acid"
        " save con dc 13 2d8 poison half inflicts poisoned",
    ),
    "adventure-school": (
        'fast = true\nstamina = 1\nsave = "health dc 12 2d6 cold"\ninflicts = "prone"',
        "ability Undertow fast stamina 1 save health dc 12 2d6 cold inflicts prone",
    ),
}


def stats(game: str, rows: str, words: str) -> dict[str, object]:
    fight = HouseFight(ruleset_with(game, rows))
    fight.do(f"add monster Ogre hp 9 {words}")
    return dict(fight.state["ogre"].stats)


@pytest.mark.parametrize("game", GAMES)
def test_a_power_that_a_sheet_names_is_as_its_row_says(game: str) -> None:
    row, said = ROWS[game]
    word = load_ruleset(game).schema.powers
    named = stats(game, f"[powers.undertow]\n{row}", f"{word} undertow")
    assert dumps(named, sort_keys=True).replace('\\"', "") == dumps(
        stats(game, "", said), sort_keys=True
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_bestiary_names_several(game: str) -> None:
    row, _ = ROWS[game]
    word = load_ruleset(game).schema.powers
    rows = f'[powers.undertow]\n{row}\n[powers.rip]\nname = "The Rip"\n{row}\n'
    rows += f'[bestiary.ogre]\nhp = 9\n{word} = ["undertow", "rip"]'
    fight = HouseFight(ruleset_with(game, rows))
    fight.do("add ogre")
    (powers,) = [v for k, v in fight.state["ogre"].stats.items() if k in ("powers", "abilities")]
    assert [power["name"] for power in powers] == ["Undertow", "The Rip"]


def test_what_a_campaign_adds_can_be_inflicted() -> None:
    rows = '[effects.soggy]\n[powers.wave]\nsave = "str dc 12 inflicts soggy"'
    assert "soggy" in str(stats("level-up", rows, "power wave"))


REFUSED = [
    ("monsters-and-magic", "[powers.wave]\napp = 2", "[powers.wave] app: expected one of"),
    ("monsters-and-magic", "[powers.wave]\nap = 20", "[powers.wave] ap: its AP must be from"),
    ("monsters-and-magic", "[powers.Wave]\nap = 2", "[powers.Wave]: no sheet could name it"),
    ("orcus", "[powers.wave]\nswift = true", "[powers.wave]: expected the frequency of Wave"),
    ("level-up", '[powers.wave]\ninflicts = "soggy"', "[powers.wave] inflicts: expected a con"),
    ("level-up", "[powers.wave]\nrecharge = 1", "[powers.wave] recharge: "),
    ("adventure-school", '[powers.wave]\nsave = "luck"', "[powers.wave] save: expected the save"),
    ("plain", "[powers.wave]\nuses = 1", "[powers]: Plain has no powers on its sheets"),
]


@pytest.mark.parametrize(("game", "rows", "said"), REFUSED)
def test_a_row_that_no_sheet_could_say_is_refused(game: str, rows: str, said: str) -> None:
    with pytest.raises(Refused) as refusal:
        ruleset_with(game, rows)
    assert refusal.value.message.startswith(said)
