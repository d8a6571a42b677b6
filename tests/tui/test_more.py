"""Whatever else a command takes is asked for by `tab`: a list of words, and what each needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from affray.tui.prompts.more_field import MoreField

WYRM = """\
add pc Mira hp 34 ac 13 init 3 pb 3 attack pin +6 1d4+3 piercing vex slots 4,3,3 spells Fireball 3
add monster Ghoul x3 hp 22 ac 12 str 1 dex 2
add pc Odo hp 30 ac 14 slots 4,3 spells Bless 1 spells "Healing Word" 1 bonus
init mira 18
init odo 12
init ghoul-1,ghoul-2,ghoul-3 8
start
"""


@pytest.fixture
def wyrm(played: Callable[..., Any], game_of: Callable[..., Any]) -> Callable[[], Any]:
    return lambda: game_of(played(WYRM, "The Wyrm", "5e"))


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """How often a list was put together."""
    made: list[str] = []
    rows = MoreField.rows

    def counted(field: MoreField) -> list[tuple[str, str]]:
        made.append(field.letters)
        return rows(field)

    monkeypatch.setattr(MoreField, "rows", counted)
    yield made


async def test_each_word_behind_others_is_asked_as_fast_as_the_first(
    wyrm: Callable[[], Any], looks: list[str]
) -> None:
    async with wyrm() as game:
        await game.type("s2n15⇥4⇥")
        looks.clear()
        await game.type("unseen")
        first = len(looks)
        await game.type("<backspace>" * 6 + "plus⇥2⇥knock⇥mast⇥none⇥")
        looks.clear()
        await game.type("unseen")
        assert len(looks) < 3 * first
        await game.type("↵")
        assert game.last == "attack ghoul-1 natural 15 4 plus 2 knockout mastery none unseen"


def offered(game: Any) -> list[str]:
    return [offer.label for offer in game.line.prompt.field.offers()]


async def test_of_words_that_mean_the_same_the_list_has_one(wyrm: Callable[[], Any]) -> None:
    async with wyrm() as game:
        await game.type("s2n15⇥4⇥")
        words = offered(game)
        assert {"advantage", "knockout", "cover"} <= {*words}
        assert not {"adv", "nonlethal", "half-cover"} & {*words}
        called = game.line.prompt.view.follow("attack ghoul-1").words
        assert called == ("miss", "hit", "crit", "fumble", "natural", "roll")


async def test_what_letters_say_and_types_of_damage_stand_behind_the_rest(
    wyrm: Callable[[], Any],
) -> None:
    async with wyrm() as game:
        await game.type("s2n15⇥4⇥")
        words = offered(game)
        assert words[0] == "plus"
        assert words.index("mastery") < words.index("acid") < words.index("advantage")


async def test_what_comes_first_for_a_mastery_is_none(wyrm: Callable[[], Any]) -> None:
    async with wyrm() as game:
        await game.type("s2n15⇥4⇥mast⇥↵")
        assert game.last == "attack ghoul-1 natural 15 4 mastery none"


async def test_no_enter_alone_says_what_somebody_resists(wyrm: Callable[[], Any]) -> None:
    async with wyrm() as game:
        await game.type("c2resi⇥↵")
        assert game.line.is_open
        await game.type("fir↵")
        assert game.last == "inflict ghoul-1 resistance fire"


async def test_a_comma_behind_a_condition_adds_none_that_nobody_chose(
    wyrm: Callable[[], Any],
) -> None:
    async with wyrm() as game:
        await game.type("c2pois,pron")
        assert game.line.prompt.field.shown == "poisoned, prone"
        await game.type("↵c3pois,↵")
        assert game.last == "inflict ghoul-2 poisoned"


async def test_spells_of_ones_own_are_offered_and_none_that_somebody_else_has_cast(
    wyrm: Callable[[], Any],
) -> None:
    async with wyrm() as game:
        await game.type("Cfireb↵↵")
        await game.type(" C")
        assert offered(game) == ["Bless", "Healing Word"]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("save⇥wis⇥13", "save wis 13"),
        ("for⇥2", "for 2"),
        ("from⇥od", "from odo"),
        ("until⇥fig", "until fight"),
    ],
)
async def test_what_stands_behind_a_word_for_the_end_of_a_condition_is_asked(
    wyrm: Callable[[], Any], keys: str, words: str
) -> None:
    async with wyrm() as game:
        await game.type(f"c2frig⇥⇥⇥{keys}↵")
        assert game.last.removesuffix(" by mira") == f"inflict ghoul-1 frightened {words}"


async def test_a_spell_that_is_readied_is_known_by_its_beginning(wyrm: Callable[[], Any]) -> None:
    async with wyrm() as game:
        await game.type("!cast⇥fireb⇥trig⇥door↵")
        assert game.last == 'ready cast "Fireball" "door"'


async def test_a_readied_spell_is_asked_whom_it_is_at_and_not_what_it_is(
    wyrm: Callable[[], Any],
) -> None:
    async with wyrm() as game:
        await game.type("!cast⇥fireb↵ ")
        await game.type("1@2↵↵")
        assert game.last == "trigger at ghoul-1 by mira"


@pytest.mark.parametrize(("typed", "is_offered"), [("c2poisoned", False), ("c2ongoing⇥5", True)])
async def test_at_start_is_offered_behind_ongoing_damage_alone(
    wyrm: Callable[[], Any], typed: str, is_offered: bool
) -> None:
    async with wyrm() as game:
        await game.type(typed)
        while not isinstance(game.line.prompt.field, MoreField):
            await game.type("⇥")
        assert ("at-start" in offered(game)) is is_offered, offered(game)
