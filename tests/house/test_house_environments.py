"""A campaign's own surroundings: rows that are played by, and rows that are refused."""

from __future__ import annotations

import pytest
import tomli

from affray.core.parser.errors import Refused
from affray.core.rules.campaign_tables import actions_of, environment_name, features_of
from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.reference import rule_texts
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import read_tables
from affray.rulesets import load_ruleset

KITCHEN = """
[environments.kitchen]
text = "Fat, knives and steam."

[environments.kitchen.features.hot-stove]
save = "dex"
dc = 11
amount = "1d8"
type = "fire"
first = "turn"
text = "Whoever is pushed against it."

[environments.kitchen.actions.fat-fire]
recharge = 5
on = "one"
save = "dex"
dc = 12
amount = "1d10"
type = "fire"
inflict = ["prone"]
until = "end"
marks = { fatigue = 1 }
text = "The pan flares up."
"""
STOVE, FIRE = "[environments.kitchen.features.hot-stove]", "[environments.kitchen.actions.fat-fire]"


def with_rows(rows: str, game: str = "level-up") -> Ruleset:
    return with_house_rules(load_ruleset(game), read_tables(tomli.loads(rows)))


def test_a_campaign_adds_surroundings_beside_those_of_the_game() -> None:
    rows = with_rows(KITCHEN).tables.environments
    assert "kitchen" in rows and "stormy" in rows
    assert environment_name("fat-fire", actions_of(rows)["fat-fire"]) == "Fat Fire"
    assert features_of(rows)["hot-stove"].dc == 11


def test_what_is_there_is_found_by_its_text() -> None:
    found = {rule.name: rule for rule in rule_texts(with_rows(KITCHEN))}
    assert found["Hot Stove"].sort == "feature" and found["Hot Stove"].how == "Kitchen"
    assert found["Fat Fire"].text == "The pan flares up."
    assert found["Kitchen"].sort == "environment"


@pytest.mark.parametrize("game", ["monsters-and-magic", "orcus"])
def test_a_game_without_surroundings_refuses_them(game: str) -> None:
    with pytest.raises(Refused, match=r"^\[environments\]: .* has no environments"):
        with_rows(KITCHEN, game)


WRONG = [
    ('save = "dex"', 'save = "luck"', f"{STOVE} save: 'luck' is not used there"),
    ("dc = 11", "dc = 0", f"{STOVE} dc: must be from 1 to 99, not 0"),
    ('save = "dex"\ndc = 11', "dc = 11", f"{STOVE} dc: it needs a `save` or `check`"),
    (
        'save = "dex"',
        'save = "dex"\ncheck = "wis perception"',
        f"{STOVE}: either `save` or `check`",
    ),
    ('save = "dex"', 'check = "perception"', f"{STOVE} check: expected an ability and a skill"),
    ('save = "dex"', 'check = "sense perception"', f"{STOVE} check: 'sense' is not used there"),
    ('amount = "1d8"', 'amount = "1dd"', f"{STOVE} amount: expected"),
    ('type = "fire"', 'type = "heat"', f"{STOVE} type: 'heat' is no damage type"),
    ('amount = "1d8"', 'geared = "1d4"', f"{STOVE} geared: it needs an `amount`"),
    ('type = "fire"\nfirst', "resisted = true\nfirst", f"{STOVE} resisted: it needs a `type`"),
    ('first = "turn"', 'escape = "none"', f"{STOVE} escape: it needs an `inflict`"),
    ('until = "end"', 'escape = "luck"', f"{FIRE} escape: must be 'outcome' or 'none'"),
    ('first = "turn"', 'first = "day"', f"{STOVE} first: must be 'turn' or 'fight'"),
    ('first = "turn"', "recharge = 5", f"{STOVE} recharge: that is only for actions"),
    ('first = "turn"', "rounds = 100", f"{STOVE} rounds: must be from 1 to 99, not 100"),
    ('first = "turn"', 'echoes = "noise"', f"{STOVE} echoes: 'noise' is no damage type"),
    ('first = "turn"', "dcc = 3", f"{STOVE} has no field 'dcc'; did you mean dc?"),
    ("recharge = 5", "recharge = 7", f"{FIRE} recharge: must be from 2 to 6, not 7"),
    ("recharge = 5", "recharge = 1", f"{FIRE} recharge: must be from 2 to 6, not 1"),
    ("recharge = 5", "difficult = true", f"{FIRE} difficult: that is only for features"),
    ('on = "one"', 'on = "two"', f"{FIRE} on: must be 'one', 'some' or 'all'"),
    ('inflict = ["prone"]', 'inflict = ["flat"]', f"{FIRE} inflict: 'flat' is no effect"),
    ('inflict = ["prone"]', "", f"{FIRE} until: it needs an `inflict`"),
    ("fatigue = 1", "hp = 1", f"{FIRE} marks: 'hp' is not used there"),
    ("fatigue = 1", "fatigue = 0", f"{FIRE} marks: fatigue must be from 1 to 99, not 0"),
    ("fat-fire", "lightning-strike", "'lightning-strike' is already in another environment"),
    (
        "actions.fat-fire",
        "actions.hot-stove",
        "hot-stove can't be both a feature and a world action",
    ),
    ("fat-fire", '"Fat Fire"', "no command could name it"),
    ("environments.kitchen", "environments.Kitchen", "no command could name it"),
    ("environments.kitchen]", 'environments.kitchen]\nname = ["x"]', "name: expected `str`"),
]


@pytest.mark.parametrize(("old", "new", "said"), WRONG, ids=[new or old for old, new, _ in WRONG])
def test_a_row_that_would_not_be_played_is_refused_by_name(old: str, new: str, said: str) -> None:
    assert old in KITCHEN
    with pytest.raises(Refused) as refusal:
        with_rows(KITCHEN.replace(old, new))
    assert said in refusal.value.message
