"""What an import says: what decides a fight first, each kind of loss in a line, nothing twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

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
