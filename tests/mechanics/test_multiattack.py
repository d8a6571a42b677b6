"""How many attacks an action holds, by the ways in which multiattacks say it."""

from __future__ import annotations

import pytest

from affray.core.rules.imported_creature import ImportedAttack, ImportedFeature
from affray.mechanics.import_creature import attacks_at_once, count_of


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The heron makes two beak attacks.", 2),
        ("The heron makes one Beak attack and two Talon attacks.", 3),
        ("The heron makes two beak attacks and three talon attacks.", 5),
        ("The heron makes a beak attack and a talon attack.", 2),
        ("The heron makes seven attacks: six with its blades and one with its tail.", 7),
        ("The heron makes two attacks with its talons and one with its tail.", 3),
        ("The heron attacks with its beak and twice with its talons.", 3),
        ("The heron attacks with its beak, talons, and tail.", 3),
        ("The heron attacks three times.", 3),
        ("The heron makes two Beak or Spit attacks.", 2),
        ("The heron makes two Beak attacks, or it makes four Spit attacks.", 4),
        ("The heron makes two beak attacks, two talon attacks, or two wing attacks.", 2),
        ("The heron makes two attacks, only one of which can be a beak attack.", 2),
        ("The heron makes three attacks, using Beak or Spit in any combination.", 3),
        ("The heron makes two Beak attacks. It can replace one attack with a Spit attack.", 2),
        ("The heron makes two beak attacks. If it flies, it can also make a talon attack.", 3),
        ("The heron uses its Stare. It then makes one beak attack and two talon attacks.", 3),
        ("The heron makes up to four wing attacks, uses Reel, then attacks with its beak.", 5),
        ("The heron makes 1d4 Talon attacks.", 4),
        ("The heron attacks two different targets with its beak and its tail.", 2),
        ("The heron makes one beak attack and uses Stare.", 1),
        ("The heron makes as many beak attacks as it has heads.", 0),
        (
            "The heron makes two Beak attacks. Beak. Melee Weapon Attack: +4 to hit. Hit: 5 (1d6).",
            2,
        ),
    ],
)
def test_every_way_of_saying_it_is_counted(text: str, count: int) -> None:
    assert count_of(text) == count


def test_as_many_as_it_has_heads_is_as_many_as_another_text_says() -> None:
    bites = ImportedFeature(
        "Multiattack", text="The heron makes as many bite attacks as it has heads."
    )
    heads = ImportedFeature(
        "Many Heads", "trait", "The heron has five heads. While it has more than one ..."
    )
    assert attacks_at_once([bites, heads]) == 5
    assert attacks_at_once([bites]) == 0


def test_one_attack_and_what_is_none_count_nothing() -> None:
    once = ImportedFeature("Multiattack", text="The heron makes one beak attack.")
    assert attacks_at_once([once]) == 0
    assert (
        attacks_at_once(
            [ImportedFeature("Beak", attack=ImportedAttack(3), text="It makes two attacks.")]
        )
        == 0
    )
