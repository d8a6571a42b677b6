"""`?` in `affray play`: words by subject, and whatever the screen looks up."""

from __future__ import annotations

from tests.play.table import GAMES

from affray.core.engine.decide import commands_of
from affray.play.subjects import WORDS
from affray.rulesets import load_ruleset


def test_the_words_of_play_are_no_commands_of_any_game() -> None:
    for game in (*GAMES.values(), "plain"):
        commands = commands_of(load_ruleset(game))
        assert not [word for word in WORDS if word.split()[0] in commands]
