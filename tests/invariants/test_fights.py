"""The state machine plays every rule system that affray comes with."""

from __future__ import annotations

from tests.invariants import adventure_school, fifth, level_up, monsters_and_magic, orcus, plain
from tests.invariants.games import GAMES
from tests.invariants.machine import SETTINGS, Fight

from affray.rulesets import BUILT_IN


class MonstersAndMagic(Fight):
    game = monsters_and_magic.GAME


class Orcus(Fight):
    game = orcus.GAME


class LevelUp(Fight):
    game = level_up.GAME


class Fifth(Fight):
    game = fifth.GAME


class AdventureSchool(Fight):
    game = adventure_school.GAME


class Plain(Fight):
    game = plain.GAME


TestMonstersAndMagic = MonstersAndMagic.TestCase
TestMonstersAndMagic.settings = SETTINGS
TestOrcus = Orcus.TestCase
TestOrcus.settings = SETTINGS
TestLevelUp = LevelUp.TestCase
TestLevelUp.settings = SETTINGS
TestFifth = Fifth.TestCase
TestFifth.settings = SETTINGS
TestAdventureSchool = AdventureSchool.TestCase
TestAdventureSchool.settings = SETTINGS
TestPlain = Plain.TestCase
TestPlain.settings = SETTINGS


def test_no_rule_system_is_left_out() -> None:
    assert {game.ruleset.id for game in GAMES} == set(BUILT_IN)
    assert {machine.game.ruleset.id for machine in Fight.__subclasses__()} == set(BUILT_IN)
