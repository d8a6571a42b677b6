"""What an import says: what decides a fight first, each kind of loss in a line, nothing twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.store.importers.files import MARSH_CRAB

from affray.store.importers.run_import import bring_in, import_report


def said(tmp_path: Path, rules: str, *rows: dict[str, Any]) -> list[str]:
    campaign = tmp_path / "vale"
    campaign.mkdir()
    (campaign / "campaign.toml").write_text(f'name = "Vale"\nruleset = "{rules}"\n', "utf-8")
    file = tmp_path / "crabs.json"
    file.write_text(json.dumps(rows), "utf-8")
    return import_report(bring_in(file, campaign))


def test_what_decides_a_fight_is_told_before_what_only_describes(tmp_path: Path) -> None:
    silvered = ["damage from nonmagical, non-silvered weapons"]
    lines = said(tmp_path, "level-up", MARSH_CRAB | {"DamageResistances": silvered})
    at = lines.index("in the text alone, with no place of its own in the row:")
    assert lines[at + 1] == "  resistance, in words: Marsh Crab"
    assert lines[-1].startswith("  and what they are besides: type, challenge")
    assert sum("challenge" in line for line in lines) == 1


def test_a_loss_of_many_attacks_is_one_line(tmp_path: Path) -> None:
    more = "Melee Weapon Attack: +4 to hit. Hit: 6 (1d8 + 2) piercing damage. It spins. It sings."
    both = [{"Name": name, "Content": more} for name in ("Peck", "Kick")]
    lines = said(tmp_path, "level-up", MARSH_CRAB | {"Actions": both})
    assert "  more than its attack: Peck (Marsh Crab) and Kick (Marsh Crab)" in lines


def test_what_is_proposed_is_told_and_how_it_is_changed(tmp_path: Path) -> None:
    lines = said(tmp_path, "monsters-and-magic", MARSH_CRAB)
    [line] = [line for line in lines if line.startswith("proposed, since another game")]
    assert line.endswith("cr, ac, attack and powers of 1 creature")
    assert "in the form of a creature" in lines[lines.index(line) + 1]


TWO_SAVES = (
    "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 6 (1d8 + 2) piercing damage "
    "and the target must succeed on a DC 13 Constitution saving throw or be poisoned for 1 minute. "
    "If the saving throw fails by 5 or more, it is also unconscious. It then makes a DC 11 Wisdom "
    "saving throw, or is frightened."
)


@pytest.mark.parametrize(
    "rules", ["level-up", "monsters-and-magic", "orcus", "adventure-school", "5e"]
)
def test_a_second_save_and_failing_by_much_have_lines(tmp_path: Path, rules: str) -> None:
    sting = [{"Name": "Sting", "Content": TWO_SAVES}]
    lines = said(tmp_path, rules, MARSH_CRAB | {"Actions": sting})
    assert "  a second save: Sting (Marsh Crab)" in lines
    assert "  what failing by 5 or more brings: Sting (Marsh Crab)" in lines


def test_one_save_is_no_second(tmp_path: Path) -> None:
    one = TWO_SAVES.partition(" If the")[0]
    lines = said(tmp_path, "level-up", MARSH_CRAB | {"Actions": [{"Name": "A", "Content": one}]})
    assert not any("second save" in line or "failing" in line for line in lines)
