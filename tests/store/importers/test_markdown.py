"""Stat blocks in plain Markdown, told from other texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.store.importers.detect import read_files
from affray.store.importers.markdown import entries_of, import_data, matches

BARE = "## Post\n**Armor Class** 15\n**Hit Points** 8\n\nIt stands.\n"


@pytest.mark.parametrize(
    "text",
    [
        "# Armor\n\n**Armor Class** is a number. **Hit Points** are another.\n",
        "The AC is 15, and it has 8 HP.\n",
        "# Rules\n\n**Armor Class.** How hard to hit.\n\n**Hit Points.** How hard to kill.\n",
    ],
)
def test_a_text_about_the_words_is_no_stat_block(text: str) -> None:
    assert not matches(text)


def test_what_a_block_lacks_is_told() -> None:
    found = import_data(BARE)
    assert [(c.name, c.ac, c.hp) for c in found.creatures] == [("Post", 15, 8)]
    assert found.doubts == (("Post", "a stat block without abilities and actions and speed"),)


def test_several_blocks_of_one_page_are_each_one() -> None:
    found = import_data(f"# Posts\n\n{BARE}\n{BARE.replace('Post', 'Gate Post')}")
    assert [creature.name for creature in found.creatures] == ["Post", "Gate Post"]


def test_brackets_behind_a_bold_name_belong_to_it_and_lines_go_on() -> None:
    text = (
        "<p><em><strong>Howl</strong></em> (2/Day). It howls.</p><p>Far.</p>"
        "<p><strong>Bite.</strong> It bites.</p>"
    )
    assert entries_of(text) == [
        {"name": "Howl (2/Day)", "desc": "It howls.\nFar."},
        {"name": "Bite", "desc": "It bites."},
    ]


def note(folder: Path, front: str, name: str = "Fen Wisp.md") -> list[str]:
    file = folder / name
    file.write_text(f"---\n{front}---\n# Lore\n\nIt glows.\n", "utf-8")
    return [
        f"{c.name} {c.hp} {c.ac} {c.initiative}"
        for s in read_files(file)
        for c in s.contents.creatures
    ]


def test_a_note_with_numbers_of_a_fight_in_its_frontmatter_is_a_creature(tmp_path: Path) -> None:
    """Initiative Tracker takes such notes; without a name one has its file's."""
    assert note(tmp_path, "name: Wisp\nhp: 18\nac: 13\ninitiative: 4\n") == ["Wisp 18 13 4"]
    assert note(tmp_path, "HP: 18\nAC: 13\n") == ["Fen Wisp 18 13 None"]
    assert note(tmp_path, "hp: many\nac: 13\n") == []
    assert note(tmp_path, "hp: 18\ntags: [ghost]\n") == []
