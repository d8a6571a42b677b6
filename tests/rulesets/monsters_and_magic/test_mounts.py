"""Who carries whom, who controls a mount, who keeps their seat. Monsters & Magic, Mounted
Combat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight

HORSE = "add monster Horse side party cr 1 hp 20 speed 50 size large trained"


@pytest.fixture
def riding(fight: Fight) -> Fight:
    """Brannoc, who is up, rides a trained horse, which comes last until it is controlled."""
    return fight.do(HORSE, faces=[1]).do("init horse 1", "mount horse")


def initiatives(fight: Fight) -> dict[str, int | None]:
    return {slot.who: slot.initiative for slot in fight.state.slots}


def order(fight: Fight) -> list[str]:
    return list(fight.shown["order"])


def test_mounting_takes_half_of_the_speed(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Mount or Dismount): half of your total speed."""
    fight.do(HORSE, faces=[1]).do("mount horse")
    assert fight.history.entries[fight.history.last].text == (
        "Brannoc mounts Horse, for 15 feet of its speed"
    )
    fight.do("undo", "inflict brannoc slowed", "mount horse")
    assert "for 7 feet" in fight.history.entries[fight.history.last].text


@pytest.mark.parametrize(
    ("rider", "mount", "said"),
    [
        ("", "size medium", "is medium: a mount is at least a size larger"),
        ("", "size small", "is small"),
        ("size large", "size large", "and Ash is large"),
        ("size small", "size medium", ""),
        ("", "size large", ""),
        ("", "", ""),  # what the sheet doesn't say is for the table
    ],
)
def test_a_mount_is_at_least_a_size_larger(
    new_fight: type[Fight], rider: str, mount: str, said: str
) -> None:
    """Monsters & Magic, Mounted Combat: at least one size larger than a rider."""
    fight = new_fight(f"add pc Ash hp 9 {rider}", f"add monster Beast hp 9 {mount}")
    fight.do("init ash 9", "init beast 1", "start")
    if said:
        fight.refuses("mount beast", said)
    else:
        assert "mounted" in fight.do("mount beast").effects("ash")


def test_nobody_rides_who_is_down_or_rides_them(riding: Fight) -> None:
    """Monsters & Magic, Mounted Combat: a willing creature."""
    riding.refuses("mount brannoc by horse", "Brannoc")
    riding.do("next", "next", "damage brannoc 99")
    riding.refuses("mount brannoc by mira", "Brannoc is dying, and can carry nobody")


def test_who_rides_dismounts_before_mounting_another(gathered: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Mount or Dismount): on one creature."""
    gathered.do("add monster Mule x2 side party hp 9 size large", "mount mule-1 by brannoc")
    gathered.refuses("mount mule-2 by brannoc", "`dismount` comes first")
    gathered.do("dismount by brannoc", "mount mule-2 by brannoc")
    assert gathered.state["brannoc"].named("mounted").source == "mule-2"  # type: ignore[union-attr]


def test_a_controlled_mount_has_its_riders_initiative(riding: Fight) -> None:
    """Monsters & Magic, Mounted Combat: its initiative becomes the same as its rider's."""
    assert initiatives(riding)["horse"] == initiatives(riding)["brannoc"] == 17
    assert order(riding)[:2] == ["brannoc", "horse"]
    riding.do("next")
    assert riding.state.turn == "horse"
    riding.do("init brannoc 11")
    assert order(riding).index("horse") == order(riding).index("brannoc") + 1


def test_a_controlled_mount_rolls_no_initiative(gathered: Fight) -> None:
    """Monsters & Magic, Mounted Combat."""
    gathered.do(HORSE, "mount horse by brannoc", "init brannoc 15", "init mira 3")
    gathered.do("init roll", faces=[4, 5])  # the ghouls alone
    assert initiatives(gathered)["horse"] == 15


def test_a_controlled_mount_only_moves_dodges_and_disengages(riding: Fight) -> None:
    """Monsters & Magic, Mounted Combat: only the Move, Dodge, or Disengage techniques."""
    riding.do("next")
    for technique in ("move", "dodge", "disengage"):
        assert riding.reason("horse", technique) == ""
    riding.refuses("strike ghoul-1 strong 5", "controlled: it can only move, dodge and disengage")
    riding.refuses("regroup", "controlled")
    riding.do("remove brannoc mounted")
    assert riding.effects("horse") == set()
    assert riding.reason("horse", "regroup") == ""


@pytest.mark.parametrize(
    ("trained", "said", "controlled"),
    [
        ("trained", "", True),
        ("trained", "independent", False),
        ("", "", False),
        ("", "controlled", True),
    ],
)
def test_an_independent_mount_keeps_its_initiative(
    fight: Fight, trained: str, said: str, controlled: bool
) -> None:
    """Monsters & Magic, Mounted Combat: retains its own initiative and can act as it likes."""
    fight.do(f"add monster Mule side party cr 1 hp 9 size large {trained}", faces=[1])
    fight.do("init mule 1", f"mount mule {said}")
    assert initiatives(fight)["mule"] == (17 if controlled else 1)
    assert ("controlled" in fight.effects("mule")) == controlled


def test_who_dismounts_controls_the_mount_no_longer(riding: Fight) -> None:
    """Monsters & Magic, Mounted Combat."""
    riding.do("next", "next", "next", "next", "next", "dismount")
    assert riding.effects("horse") == set()
    assert all(not slot.follows for slot in riding.state.slots)


def test_the_dead_control_no_mount(riding: Fight) -> None:
    """Monsters & Magic, Mounted Combat: it is the rider who controls it."""
    riding.do("damage brannoc 99", "mark brannoc exhaustion 6")
    assert riding["brannoc"].life == "dead"
    assert "controlled" not in riding.effects("horse")
    assert all(not slot.follows for slot in riding.state.slots)


@pytest.mark.parametrize("who", ["brannoc", "horse"])
def test_rider_or_mount_falling_prone_asks_for_the_save(riding: Fight, who: str) -> None:
    """Monsters & Magic, Mounted Combat: the same save if you or your mount are knocked prone."""
    riding.do(f"inflict {who} prone")
    assert ("brannoc", "Brannoc saves to stay mounted") in riding.pending
    riding.do("mount-save brannoc strong")
    assert riding.effects("brannoc") == {"mounted"}
    assert riding.pending == []


def test_a_mount_that_dies_throws_its_rider(riding: Fight) -> None:
    """Monsters & Magic, Mounted Combat: an effect would force you off it."""
    riding.do("damage horse 99")
    assert ("brannoc", "Brannoc saves to land on its feet") in riding.pending


@pytest.mark.parametrize("gone", ["damage horse 99", "leave horse", "inflict horse unconscious"])
@pytest.mark.parametrize(("said", "lies"), [("weak", False), ("strong", False), ("miss", True)])
def test_what_is_dead_unconscious_or_gone_carries_nobody(
    riding: Fight, gone: str, said: str, lies: bool
) -> None:
    """Monsters & Magic, Mounted Combat; ruling 69."""
    riding.do(gone)
    assert riding.state["brannoc"].named("mounted") is None
    riding.do(f"mount-save brannoc {said}")
    names = {effect.name for effect in riding.state["brannoc"].effects}
    assert ("prone" in names, "slipping" in names, "mounted" in names) == (lies, False, False)


@pytest.mark.parametrize(
    ("said", "effects", "fatigue"),
    [
        ("crit", {"mounted"}, 0),
        ("strong", {"mounted"}, 0),
        ("weak stay", {"mounted"}, 2),
        ("weak off", set(), 0),
        ("miss", {"prone", "slowed"}, 0),
        ("crit-miss", {"prone", "slowed"}, 0),
        ("natural 17", {"mounted"}, 0),  # 17 + CUNNING 1
        ("natural 8", {"prone", "slowed"}, 0),
        ("natural 8 plus 1 stay", {"mounted"}, 2),
    ],
)
def test_a_save_to_stay_mounted_by_outcome(
    riding: Fight, said: str, effects: set[str], fatigue: int
) -> None:
    """Monsters & Magic, Mounted Combat: a cunning save, with what a miss and a weak hit bring."""
    riding.do("inflict brannoc prone", f"mount-save brannoc {said}")
    assert riding.effects("brannoc") == effects
    assert riding.track("brannoc", "fatigue") == fatigue


def test_after_a_weak_hit_it_may_be_said_later_who_stays(riding: Fight) -> None:
    """Monsters & Magic, Mounted Combat: mark 2 fatigue to stay, or land on your feet."""
    riding.refuses("mount-save brannoc stay", "give the outcome of the save")
    riding.do("mount-save brannoc weak")
    assert riding.pending == [("brannoc", "Brannoc stays mounted for 2 fatigue, or gets off")]
    riding.refuses("mount-save brannoc", "`stay`, for 2 fatigue, or get `off`")
    riding.do("mount-save brannoc off")
    assert riding.effects("brannoc") == set()
    riding.refuses("mount-save brannoc strong", "Brannoc is not riding")


@pytest.mark.parametrize(
    ("face", "effects"),
    [(17, {"mounted"}), (12, set[str]()), (3, {"prone", "slowed"})],
)
def test_a_save_that_nobody_made_is_rolled_as_the_turn_ends(
    riding: Fight, face: int, effects: set[str]
) -> None:
    """Monsters & Magic, Mounted Combat; who saves weakly gets off: nobody has said to mark
    fatigue."""
    riding.do("inflict horse prone")
    riding.do("next", faces=[face])
    assert riding.effects("brannoc") == effects
    assert riding.fatigue("brannoc") == (0, 0)


def test_a_dodging_rider_saves_with_advantage(riding: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Dodge): cunning saving throws with advantage."""
    riding.do("dodge", "inflict horse prone", "mount-save brannoc natural 3,18")
    assert riding.rolled.natural == 18


def test_luck_may_bend_the_save(riding: Fight) -> None:
    """Monsters & Magic, Threads of Fate: it is an ability check like any other."""
    riding.do("inflict brannoc prone", "mount-save brannoc natural 16")
    assert riding.outcome == "weak"
    riding.do("thread brannoc bend-luck")
    assert riding.outcome == "strong"
    assert riding.effects("brannoc") == {"mounted"}


def test_the_unconscious_keep_lying(riding: Fight) -> None:
    """Monsters & Magic, Conditions (Unconscious): prone, in the saddle or beside the mount."""
    riding.do("inflict brannoc unconscious", "mount-save brannoc weak off")
    assert {"unconscious", "prone"} <= riding.effects("brannoc")
    assert "mounted" not in riding.effects("brannoc")
