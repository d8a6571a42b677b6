"""Effects of a GM's own in Monsters & Magic: any name, an end, a note, modifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affray.core.engine.decide import complete
from affray.core.engine.events import EffectChanged, EffectGained
from affray.core.engine.state import Effect
from affray.core.formatting.log_lines import entry_line

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


def own(fight: Fight, who: str = "ghoul-1") -> Effect:
    (effect,) = fight[who].effects
    return effect


@pytest.mark.parametrize(
    ("clause", "until"),
    [
        ("", "end of ghoul-1's next turn"),
        ("until end of mira", "end of mira's next turn"),
        ("until start of mira", "start of mira's next turn"),
        ("for 2 turns", "end of ghoul-1's 2nd turn from now"),
        ("until freed", "until freed"),
        ("until removed", "until removed"),
        ("until a rest", "until a rest"),
        ("until the fight ends", "until the fight ends"),
        ("until round 4 ends", "end of round 4"),
    ],
)
def test_an_effect_of_any_name_has_any_end(fight: Fight, clause: str, until: str) -> None:
    """Without words on it, it lasts as long as a condition (Monsters & Magic, Conditions &
    Statuses)."""
    fight.do(f'inflict ghoul-1 "hexed" {clause}')
    assert (own(fight).name, fight.until("ghoul-1", "hexed")) == ("hexed", until)
    assert fight.shown["undo"] == "Ghoul 1: hexed"


def test_it_ends_when_it_was_said_to(fight: Fight) -> None:
    fight.do('inflict foes "hexed" until start of mira', 'inflict mira "blest" until fight', "next")
    assert not fight[("ghoul-1")].effects and not fight["ghoul-2"].effects
    assert fight.effects("mira") == {"blest"}
    assert not fight.do("end").effects("mira")


def test_it_has_a_source_a_note_and_modifiers_in_any_order(fight: Fight) -> None:
    said = 'ac +1 from mira note "can\'t  speak" for 2 turns attack -2 speed -10'
    fight.do(f'inflict ghoul-1 "Evil Eye" {said}')
    assert own(fight) == Effect(
        "evil-eye",
        "Evil Eye",
        "own-bane",
        own(fight).until,
        "mira",
        {"ac": 1, "attack": -2, "speed": -10},
        "can't speak",
    )
    (gained,) = fight.events
    assert isinstance(gained, EffectGained)
    before = fight.history.before(fight.history.last)
    assert entry_line(fight.history.entries[fight.history.last], before, {}) == (
        "Ghoul 1: Evil Eye · +1 ac, −2 attack, −10 speed (can't speak) "
        "until the end of its 2nd turn from now"
    )


def test_its_modifiers_count_in_totals_and_attacks_and_why_tells_them(fight: Fight) -> None:
    """Monsters & Magic, Attacking & Dealing Damage, Armor Class."""
    fight.do('inflict ghoul-1 "hexed" until fight attack -2 ac +3 speed -10')
    assert [fight.total("ghoul-1", what) for what in ("attack", "ac", "speed")] == [-2, 5, 20]
    shares = fight.ruleset.numbers.explain(
        fight.ruleset.tables, fight.state, fight["ghoul-1"], "ac"
    )
    assert [(share.amount, share.source) for share in shares] == [(2, "own AC"), (3, "hexed")]
    fight.do("strike ghoul-1 strong 8")
    assert fight.track("ghoul-1", "hp") == 18 - 3
    fight.do('inflict brannoc "shaky" until fight attack -2', "next", "next", "next", "next")
    fight.do("strike ghoul-2 natural 15 8")
    assert fight.rolled.total == 15 + 2 + 2 - 2


def test_action_points_of_a_turn_can_be_less_by_it(fight: Fight) -> None:
    """Monsters & Magic, Action Points."""
    fight.do('inflict mira "winded" until fight ap -1', "next")
    assert fight.track("mira", "ap") == 2


def test_one_that_lasts_until_used_ends_with_the_first_it_counts_for(fight: Fight) -> None:
    """Monsters & Magic, Ongoing, Forward, and Hold: a forward is for one roll. So is what ends by
    use."""
    fight.do(
        'inflict brannoc "shaky" attack -2 until used', 'inflict brannoc "odd" ac -1 until used'
    )
    fight.do("check brannoc power natural 10")
    assert {"shaky", "odd"} <= fight.effects("brannoc"), "an attack, a blow are still to come"
    fight.do("strike ghoul-1 natural 15 8")
    assert fight.rolled.total == 15 + 2 + 2 - 2 and "shaky" not in fight.effects("brannoc")
    fight.do("damage brannoc 8")
    assert fight.track("brannoc", "hp") == 30 - (8 - 3) and "odd" not in fight.effects("brannoc")
    fight.do('bestow mira "sure" check +4 until used', 'inflict mira "winded" ap -1 until used')
    fight.do("ongoing mira +1 check until used", "next")
    assert fight.track("mira", "ap") == 2 and "winded" not in fight.effects("mira")
    fight.do("check mira cunning natural 9")
    assert fight.rolled.total == 9 + 3 + 4 + 1 and not fight["mira"].effects
    fight.do('bestow ghoul-2 "quick" check +5 until used', "init ghoul-2 natural 4")
    assert not fight["ghoul-2"].effects
    assert next(s.initiative for s in fight.state.slots if s.who == "ghoul-2") == 4 + 2 + 5


def test_one_that_is_bestowed_or_comes_to_a_bonus_is_no_bane(fight: Fight) -> None:
    fight.do('bestow mira "blest"', 'inflict brannoc "roused" check +1')
    assert own(fight, "mira").kind == own(fight, "brannoc").kind == "own-boon"
    tables = fight.ruleset.tables
    assert tables.kind("own-bane").harmful and not tables.kind("own-boon").harmful


def test_given_again_what_is_said_anew_counts_and_the_rest_stays(fight: Fight) -> None:
    fight.do('inflict ghoul-1 "hexed" until end of mira note "mute" attack -2')
    fight.do('inflict ghoul-1 "HEXED" until fight')
    assert (own(fight).note, own(fight).modifiers) == ("mute", {"attack": -2})
    assert fight.until("ghoul-1", "hexed") == "until the fight ends"
    fight.do('inflict ghoul-1 "hexed" ac -1 from brannoc')
    assert (own(fight).modifiers, own(fight).source) == ({"ac": -1}, "brannoc")
    fight.do('inflict ghoul-1 "hexed" note "blind as well"')
    assert fight.until("ghoul-1", "hexed") == "until the fight ends"
    assert isinstance(fight.events[0], EffectChanged)
    fight.do('inflict foes "hexed" ac +4')
    assert own(fight).kind == own(fight, "ghoul-2").kind == "own-boon"


def test_given_again_with_nothing_new_it_is_refused(fight: Fight) -> None:
    fight.do('inflict ghoul-1 "hexed" until end of mira')
    lasts = "Ghoul 1: hexed until the end of Mira's next turn already; say what to change"
    fight.refuses('inflict ghoul-1 "hexed"', lasts)
    fight.refuses('inflict foes "hexed"', "Ghoul 1: hexed")
    fight.refuses('inflict ghoul-1 "hexed" until end of mira', lasts)
    fight.do('inflict ghoul-2 "cursed" until removed')
    fight.refuses('inflict ghoul-2 "cursed"', "cursed until it is removed already")


def test_a_name_written_otherwise_is_the_same_effect(fight: Fight) -> None:
    """By either spelling `remove` would find the first of the two, whichever was meant."""
    fight.do('inflict ghoul-1 "evil eye"', 'inflict ghoul-1 "Evil-Eye!" attack -1')
    assert [(e.id, e.name) for e in fight["ghoul-1"].effects] == [("evil-eye", "evil eye")]
    fight.refuses('inflict ghoul-1 "evil eye"', "already")


def test_it_is_removed_and_escaped_by_name(fight: Fight) -> None:
    """Monsters & Magic, Conditions: until you free yourself; it has no price that the rules
    know."""
    fight.do('inflict foes "Evil Eye" until freed', "remove ghoul-1 evil eye")
    assert fight.shown["undo"] == "Ghoul 1 is no longer Evil Eye"
    fight.do('remove foes "evil EYE"')
    assert not fight["ghoul-2"].effects
    fight.do('inflict brannoc "Webbed" until freed', "free brannoc webbed")
    assert not fight["brannoc"].effects
    fight.do('inflict brannoc "Webbed" until rest')
    fight.refuses("free brannoc webbed", "can't get free of that")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("inflict ghoul-1 hexed", "or an effect of your own in quotes"),
        (
            "inflict ghoul-1 weakend",
            "did you mean weakened, or an effect of your own in quotes?",
        ),
        ('inflict ghoul-1 "protected"', "or an effect of your own with another name"),
        ('inflict ghoul-1 ""', "letters or digits, and 1 to 40 characters"),
        ('inflict ghoul-1 "  "', "letters or digits"),
        ('inflict ghoul-1 "?!"', "letters or digits"),
        (f'inflict ghoul-1 "{"x" * 41}"', "1 to 40 characters"),
        ('inflict ghoul-1 "he\x1bxed"', "letters or digits"),
        (
            'inflict ghoul-1 "x" atack -2',
            "'atack' is not a roll or number it could change; did you mean",
        ),
        ('inflict ghoul-1 "x" zeal -2', "there are check, attack, damage, ac, speed and ap"),
        (
            'inflict ghoul-1 "x" -2 attack',
            "expected a roll or number before the amount; there are check, attack",
        ),
        ('inflict ghoul-1 "x" attack', "did not expect 'attack'"),
        ('inflict ghoul-1 "x" attack 0', "0 changes nothing"),
        ('inflict ghoul-1 "x" attack 100', "from -99 to 99"),
        ('inflict ghoul-1 "x" ac 1 ac 2', "ac is given twice"),
        ('inflict ghoul-1 "x" note', "expected the text of the note"),
        ('inflict ghoul-1 "x" until fight note "a" until rest', "one duration, not two"),
        ('inflict ghoul-1 "x" save ends', "did not expect 'save'"),
        ('inflict ghoul-1 "x" extend', "did not expect 'extend'"),
        ('inflict nobody "x"', "nobody here is called 'nobody'"),
    ],
)
def test_what_is_wrong_with_one_gets_one_line(fight: Fight, line: str, answer: str) -> None:
    fight.refuses(line, answer)


def test_a_name_of_the_rules_stays_theirs_in_quotes(fight: Fight) -> None:
    fight.do('inflict ghoul-1 "Weakened"')
    assert own(fight).kind == "condition" and fight.total("ghoul-1", "check") == -2


def test_what_several_are_from_now_on_is_said_once(fight: Fight) -> None:
    fight.do("inflict foes prone")
    before = fight.history.before(fight.history.last)
    line = entry_line(fight.history.entries[fight.history.last], before, {})
    assert line == "Ghoul 1 and Ghoul 2 are prone · until it stands"


def test_the_dead_get_none(fight: Fight) -> None:
    fight.do("damage ghoul-1 99")
    fight.refuses('inflict ghoul-1 "hexed"', "Ghoul 1 is dead")
    assert fight.do('inflict foes "hexed"').effects("ghoul-2") == {"hexed"}


def test_completion_offers_what_can_be_said_of_it(fight: Fight) -> None:
    offers = set(complete(fight.state, 'inflict ghoul-1 "hexed" ', fight.ruleset))
    assert {"note", "attack", "ac", "for", "until", "from"} <= offers
    fight.do('inflict ghoul-1 "Evil Eye"')
    assert complete(fight.state, "remove ghoul-1 e", fight.ruleset) == ["evil-eye"]
