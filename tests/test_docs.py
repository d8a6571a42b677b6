"""What the documents say is so: every command is there, every example runs, every link leads on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from affray.core.decide import verbs_of
from affray.core.dice_sources import SeededDice
from affray.core.refusal import Refused
from affray.rulesets import load_ruleset
from affray.store.encounter import OpenEncounter

ROOT = Path(__file__).parents[1]
COMMANDS = ROOT / "docs" / "commands.md"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
RULES = "monsters-and-magic"


def blocks(kind: str) -> list[list[str]]:
    """The lines of each fenced block of that kind in docs/commands.md."""
    found = re.findall(rf"^```{kind}\n(.*?)^```", COMMANDS.read_text("utf-8"), re.M | re.S)
    return [block.splitlines() for block in found]


@pytest.fixture
def fight(tmp_path: Path) -> OpenEncounter:
    """The fight in which the examples play."""
    opened = OpenEncounter.create(tmp_path / "fight.toml", RULES, "Examples", SeededDice(2))
    (setup,) = blocks("fight setup")
    for line in setup:
        opened.do(line)
    return opened


@pytest.mark.parametrize("lines", blocks("fight"), ids=lambda lines: lines[0])
def test_the_examples_run(lines: list[str], fight: OpenEncounter) -> None:
    with fight:
        for line in lines:
            if fight.ask(line) is None:
                fight.do(line)


@pytest.mark.parametrize("line", [line for lines in blocks("refused") for line in lines])
def test_what_is_said_to_be_refused_is(line: str, fight: OpenEncounter) -> None:
    with fight, pytest.raises(Refused):
        fight.do(line)


@pytest.mark.parametrize("verb", verbs_of(load_ruleset(RULES)).values(), ids=lambda v: v.name)
def test_every_command_is_there_with_its_usage(verb) -> None:
    assert f"`{verb.usage}`" in COMMANDS.read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_and_headings(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text("utf-8")):
        path, _, heading = target.partition("#")
        other = (page.parent / path) if path else page
        assert other.exists(), target
        if heading:
            assert heading in headings(other), target


def headings(page: Path) -> set[str]:
    lines = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", line.casefold()).replace(" ", "-") for line in lines}


def test_the_tests_that_are_named_exist() -> None:
    page = (ROOT / "docs" / "monsters-and-magic.md").read_text("utf-8")
    named = set(re.findall(r"`(test_\w+)`", page))
    tests = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert named and named <= set(re.findall(r"def (test_\w+)", tests))


def test_the_keys_in_the_readme_are_keys() -> None:
    from affray.tui.keymap import keymap_for

    keys = keymap_for(load_ruleset(RULES)).by_key
    section = (ROOT / "README.md").read_text("utf-8").split("\n## Keys\n")[1].split("\n## ")[0]
    table = "\n".join(line for line in section.splitlines() if line.startswith("|"))
    named = re.findall(r"`([^`]+)`", table)
    assert len(named) > 60
    assert [key for key in named if key not in keys] == []
