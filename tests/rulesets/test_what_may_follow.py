"""What can be typed can be asked for: the parser names each word of a command where it stands.

Prompts ask what `follow` says, so a word that it doesn't offer can be given by no key. The commands
are those of the rule cases that a game master gives in play.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from affray import Fight
from affray.core.engine.decide import Continuation, follow
from affray.core.engine.state import Encounter
from affray.core.parser.errors import Refused
from affray.core.parser.targets import resolve_many
from affray.core.parser.tokens import Token, join_tokens, tokenize
from affray.store import LogError
from affray.testing.conformance import TYPED_ALONE

CASES = sorted((Path(__file__).parents[1] / "cases").glob("*.toml"))
GAMES = ("5e", "adventure-school", "level-up", "monsters-and-magic", "orcus")
MOST_IN_100 = {"5e": 1, "adventure-school": 3, "level-up": 1, "monsters-and-magic": 4, "orcus": 3}
"""So many of a hundred lines, at the most, have a word that isn't offered: names without quotes,
dice of several said one by one, and the words of a few readers that look ahead."""
NUMBERS = ("number", "dice", "faces", "damage")


def lines_of(game: str) -> Iterator[tuple[Encounter, str, Fight]]:
    """Each different line of a game's cases once, with the state in which it is given."""
    given = set()
    for path in CASES:
        document = tomllib.loads(path.read_text("utf-8"))
        if document["ruleset"] != game:
            continue
        for case in document["case"]:
            fight = Fight(game, "case", 7)
            for line in () if case.get("bare") else document.get("setup", ()):
                fight.do(line)
            for line in case.get("commands", ()):
                if line not in given and line.split()[0] not in TYPED_ALONE:
                    given.add(line)
                    yield fight.state, line, fight
                try:
                    fight.do(line)
                except (Refused, LogError):
                    fight.ask(line)


def word_not_offered(state: Encounter, line: str, fight: Fight) -> str:
    """The first word that nothing offers where it stands; empty for none."""
    words, actor = without_actor(tokenize(line))
    for at in range(1, len(words)):
        before = join_tokens([*words[:at], *actor])
        if not is_offered(words[at], follow(state, before, fight.ruleset), state):
            return str(words[at])
    return ""


def without_actor(words: list[Token]) -> tuple[list[Token], list[Token]]:
    at = next((i for i, word in enumerate(words) if word == "by" and not word.quoted), len(words))
    return words[:at] + words[at + 2 :], words[at : at + 2]


def is_offered(word: Token, found: Continuation, state: Encounter) -> bool:
    """True for a word of the list or its beginning, for somebody's name, and where a number or a
    text is asked for."""
    offered, text = {each.casefold() for each in found.words}, word.casefold()
    parts = text.split(",")
    if word.quoted or all(any(each.startswith(part) for each in offered) for part in parts):
        return True
    fields = [*filter(None, [found.needed]), *found.besides]
    if fields and any(c.isdecimal() for c in text):
        return True
    if found.needed is not None and found.needed.kind not in NUMBERS:
        return True
    try:
        return bool(resolve_many(state, text))
    except Refused:
        return False


@pytest.mark.parametrize("game", GAMES)
def test_the_parser_offers_each_word_of_a_command_where_it_stands(game: str) -> None:
    lines = list(lines_of_and_faults(game))
    wrong = [f"{line}: {word}" for line, word in lines if word]
    assert len(wrong) * 100 <= MOST_IN_100[game] * len(lines), wrong


def lines_of_and_faults(game: str) -> Iterator[tuple[str, str]]:
    for state, line, fight in lines_of(game):
        yield line, word_not_offered(state, line, fight)


def test_what_is_done_if_it_is_given_again_may_go_on_as_well() -> None:
    """A charmed attacker's command asks to be given again; it is no fault of the words."""
    fight = Fight("adventure-school", "charm", 7)
    fight.do("add pc Ada hp 20 ac 12")
    fight.do("add monster Wolf hp 20 ac 12 attack bite +4 1d6")
    fight.do("init ada 5")
    fight.do("init wolf 9")
    fight.do("start")
    fight.do("inflict wolf charmed from ada")
    assert follow(fight.state, "attack ada hit 5", fight.ruleset).refused == ""
    assert "adv" in fight.complete("attack ada hit 5 ")
