"""The README: short, its keys are there, and nothing of it breaks in a package index."""

from __future__ import annotations

import re
from pathlib import Path

from hatch_build import readme_for_index

from affray.rulesets import load_ruleset
from affray.tui.keymap import keymap_for

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
LINKS = r"\]\(([^)]+)\)"
ADDRESS = "https://code.example/affray"


def test_it_is_read_in_a_few_minutes() -> None:
    assert len(README.split()) <= 1200
    assert 1 <= README.count("![") <= 6


def test_it_lists_its_headings() -> None:
    listed = re.findall(r"\[([^\]]+)\]\(#([\w-]+)\)", README)
    headings = re.findall(r"^## (.+)$", README, re.M)
    assert [name for name, _ in listed] == headings
    plain = [re.sub(r"[^\w ]", "", name.casefold()).replace(" ", "-") for name in headings]
    assert [to for _, to in listed] == plain


def test_it_begins_with_what_it_is_the_moving_picture_and_a_line_to_try_it() -> None:
    first = README.split("\n## ")[0]
    assert first.index("game masters") < first.index("round.svg") < first.index("affray demo")


def test_the_keys_of_the_first_fight_are_those_of_the_fight() -> None:
    table = README.split("\n## Your first fight\n")[1].split("\n## ")[0]
    named = {key for row in re.findall(r"^\| (`.+?) \|", table, re.M) for key in row.split()}
    assert len(named) > 10
    keys = keymap_for(load_ruleset("monsters-and-magic")).by_key
    assert {key.strip("`") for key in named} - keys.keys() == set()


def test_without_an_address_a_package_index_shows_no_link_and_no_picture() -> None:
    text = readme_for_index(README, "", "1.2.3")
    assert re.findall(LINKS, text) == ["https://docs.astral.sh/uv/"]
    assert "campaigns" in text and "odds" in text  # what links say stays


def test_with_an_address_all_of_it_leads_to_the_files_of_that_version() -> None:
    text = readme_for_index(README, ADDRESS, "1.2.3")
    assert text.count("![") == README.count("![")
    targets = re.findall(LINKS, text)
    assert len(targets) == len(re.findall(LINKS, README))
    for target in (target for target in targets if not target.startswith("https://docs.")):
        found = re.fullmatch(rf"{ADDRESS}/(?:raw|blob)/v1\.2\.3/([^#]+)(?:#.+)?", target)
        assert found and (ROOT / found[1]).exists(), target
