"""A refusal's usage in a narrow window: what is wanted is seen, what is known gives way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from affray.core.engine.decide import commands_of
from affray.core.parser.errors import Refused
from affray.rulesets import known_rulesets, load_ruleset
from affray.store.open_encounter import OpenEncounter
from affray.tui.drawing import StyledLine
from affray.tui.prompts.preview import PreviewLine, needed_of, refusal_text
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.header_footer import Footer
from affray.tui.widgets.prompt import PromptWidget, said_rows

Play = Callable[..., Any]
NARROW = (80, 24)
INKS = styles_of(DARK)


def below(game: Any) -> str:
    """What stands below the command bar, in as many rows as it needs."""
    return f"{game.row(PromptWidget, 1).strip()} {game.row(Footer).strip()}"


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("inflict mira dazed until", "until start|end of NAME"),
        ("inflict mira dazed for", "for N turns]"),
        ("modifier mira +2 ac feat nonsense", "[DURATION] [from NAME"),
        ("zone fog maintain", "maintain standard"),
        ("add monster Rat ac 12", "expected `hp` and a number"),
        ("add monster Rat hp 9 attack Bite", "attack NAME +N vs AC DICE"),
        ("power", "NAME [augmented] [[coup-de-grace] TARGET[,TARGET] OUTCOME"),
    ],
)
async def test_what_is_wanted_is_seen_at_80_cells(
    stair: Callable[..., OpenEncounter], game_of: Play, typed: str, seen: str
) -> None:
    async with game_of(stair(), NARROW) as game:
        await game.type(f":{typed}")
        assert seen in below(game), below(game)


async def test_what_was_refused_goes_on_in_the_second_row(
    stair: Callable[..., OpenEncounter], game_of: Play
) -> None:
    async with game_of(stair(), NARROW) as game:
        game.screen.run_command("inflict mira dazed until")
        rows = f"{game.row(PromptWidget).strip()} {game.row(PromptWidget, 1).strip()}"
        assert "expected its end" in rows and "[until start|end of NAME" in rows


def within(said: PreviewLine, cells: int) -> str:
    """What is said where there are so many cells."""
    return said.fitting(lambda text: len(text) <= cells)


def test_a_usage_with_room_is_whole() -> None:
    refusal = Refused("expected N", usage="undo [N]")
    assert within(refusal_text("undo x", refusal), 40) == "expected N (usage: undo [N])"


def test_of_a_usage_the_beginning_gives_way_and_no_more_of_it_than_must() -> None:
    said = PreviewLine("expected D", "refused", "a b c d e f", 3)
    assert within(said, 28) == "expected D (usage: … d e f)"
    assert within(said, 29) == "expected D (usage: … c d e f)"


def test_then_the_end_behind_what_is_wanted_gives_way_and_then_all_of_it() -> None:
    said = PreviewLine("expected D", "refused", "a b c d e f", 3)
    assert within(said, 26) == within(said, 25) == "expected D (usage: … d …)"
    assert within(said, 24) == within(said, 5) == "expected D"
    assert within(PreviewLine("some words"), 4) == "some words", "the row cuts it"


@pytest.mark.parametrize(
    ("usage", "given", "needed"),
    [
        ("goto N", [], 1),
        ("set NAME TRACK VALUE [of MAX]", ["mira", "hp"], 3),
        ("inflict NAME CONDITION [for N turns] [until start|end of NAME]", ["a", "b", "until"], 6),
        ("inflict NAME CONDITION [for N turns] [until start|end of NAME]", ["a", "b", "end"], 7),
        ("next", ["a", "b"], 0),
        ("", ["a"], 0),
    ],
)
def test_the_needed_word_of_a_usage(usage: str, given: list[str], needed: int) -> None:
    assert needed_of(usage, given) == needed


@pytest.mark.parametrize("ruleset", known_rulesets())
def test_no_refusal_of_a_word_names_what_is_not_installed(
    played: Callable[..., OpenEncounter], ruleset: str
) -> None:
    fight = played("add pc Mira hp 9", "", ruleset)
    for line in ("xyzzy", "rec", *commands_of(load_ruleset(ruleset))):
        try:
            fight.preview(line)
        except Refused as refusal:
            assert "docs/" not in refusal.message and ".md" not in refusal.message


def test_a_command_that_was_begun_is_named(stair: Callable[..., OpenEncounter]) -> None:
    with pytest.raises(Refused, match="'rec' is no command; did you mean recovery"):
        stair().preview("rec")
    with pytest.raises(Refused, match=r"no command; \? lists all commands"):
        stair().preview("xyzzy")


# -- every command, at every width -----------------------------------------------------------------

WIDTHS = (60, 80, 120)


def asked(fight: OpenEncounter) -> Iterator[str]:
    """Every command, as far as three words of it, each with and without a wrong one behind it."""
    lines = list(commands_of(fight.ruleset))
    for words in range(3):
        for line in lines:
            yield line
            yield f"{line} zz"
        offered = [(line, fight.complete(f"{line} ")[:4]) for line in lines] if words < 2 else []
        lines = [f"{line} {offer}" for line, offers in offered for offer in offers]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("ruleset", known_rulesets())
def test_a_usage_is_shown_with_what_is_wanted_whole_or_not_at_all(
    request: pytest.FixtureRequest, ruleset: str, width: int
) -> None:
    fight = request.getfixturevalue("ambush" if ruleset != "orcus" else "stair")
    fight = fight() if callable(fight) else fight
    shown = 0
    for line in asked(fight):
        try:
            fight.preview(line)
        except Refused as refusal:
            if not refusal.usage:
                continue
            said = refusal_text(line, refusal)
            rows = [_words(row) for row in said_rows(said, INKS, width, 2)]
            text = " ".join(rows).strip()
            wanted = said.usage.split()[said.needed]
            if "(usage:" in text:
                assert wanted in text.split("(usage:")[1].removesuffix(")").split(), text
                assert text.endswith(")"), text
                shown += 1
            else:
                what_was_wrong = refusal.message.removesuffix(f" (usage: {refusal.usage})")
                assert text.startswith(f"✗ {what_was_wrong}"[: width - 8]), text
    assert shown > 150


def _words(row: StyledLine) -> str:
    return row.text.strip()


async def test_what_has_no_room_below_the_bar_goes_on_in_place_of_the_keys(
    stair: Callable[..., OpenEncounter], game_of: Play
) -> None:
    async with game_of(stair(), (60, 24)) as game:
        await game.type(":inflict mira dazed until round ")
        assert below(game).endswith("| round N] [from NAME] [while NAME] [by NAME])"), below(game)
        assert "(usage: … |" in below(game) and "complete" not in game.row(Footer)
        await game.type("9")
        assert "complete" in game.row(Footer), "there is room for it now"
        await game.type("⎋")
        assert "help" in game.row(Footer)


async def test_the_bar_says_what_comes_next_with_its_candidates(
    stair: Callable[..., OpenEncounter], game_of: Play
) -> None:
    async with game_of(stair(), (120, 40)) as game:
        await game.type(":damage ")
        row = game.row(PromptWidget, 1).strip()
        assert row.startswith("expected the combatants to damage: brannoc  mira"), row
        await game.type("g")
        assert ": mira" not in game.row(PromptWidget, 1), "a word is begun, which tab completes"
        await game.type("oblin-1 12 ")
        assert game.row(PromptWidget, 1).strip().startswith("→")


async def test_a_preview_leaves_the_keys_where_they_are(
    stair: Callable[..., OpenEncounter], game_of: Play
) -> None:
    async with game_of(stair(), (60, 24)) as game:
        await game.type(":damage mira,goblin-1,goblin-2,goblin-hexer 12 fire")
        assert len(game.line._rows) > 2
        assert "complete" in game.row(Footer)


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("LFog↵", "expected dice such as 4d6, `effort`, or a number of steps or successes"),
        ("LFog↵", "example: 4d6 slow"),
        ("a", "expected `pc`, `monster`, `hazard` or the name of a creature"),
        ("amonster ", "example: monster Ghoul x2 hp 10 attack Strike +4 vs ac 1d6+1"),
        ("<f2>", "expected a setting · example: dynamic-initiative on"),
    ],
)
async def test_an_open_prompt_says_what_is_wanted_in_words_with_an_example(
    stair: Callable[..., OpenEncounter], game_of: Play, typed: str, seen: str
) -> None:
    async with game_of(stair(), (120, 40)) as game:
        await game.type(typed)
        assert seen in below(game) and "usage:" not in below(game), below(game)


@pytest.mark.parametrize("example", ["clock Fog 4d6 slow", "setting dynamic-initiative on"])
def test_what_a_prompt_has_for_an_example_can_be_given(
    stair: Callable[..., OpenEncounter], example: str
) -> None:
    fight = stair()
    fight.do(example)
    assert fight.commands[-1] == example
