"""The monsters of the 5e SRD's API: what its fields are in a creature."""

from __future__ import annotations

import json

from tests.store.importers.formats import srd_api as monsters

from affray.store.importers import srd_api


def test_a_skill_with_a_field_of_its_own_has_its_bonus() -> None:
    """The database of 2014: `"stealth": 7, "sleight_of_hand": 5`, beside the hit points."""
    [row] = json.loads(monsters())
    row |= {"stealth": 7, "sleight_of_hand": 5}
    [creature] = srd_api.import_data([row]).creatures
    assert dict(creature.skills) == {"stealth": 7, "sleight of hand": 5}
