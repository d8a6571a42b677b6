"""What is in force, what an effect brings along, and what ends with it."""

from msgspec.structs import replace

from affray.core.engine.effects import active_effects
from affray.core.engine.events import LifeChanged
from affray.core.rules.tables import read_tables


def forced(fight, who):
    return set(active_effects(fight.ruleset.tables, fight.state, fight.who(who)))


def test_an_implied_effect_is_in_force_and_ends_with_what_implies_it(fight):
    fight("effect ann dazed")
    assert forced(fight, "ann") == {"dazed", "slow"}
    fight("remove ann dazed")
    assert forced(fight, "ann") == set()


def test_what_it_brings_stays_when_it_ends(fight):
    fight("effect ann felled", "remove ann felled")
    assert fight.names("ann") == ["down"]


def test_what_needs_its_source_is_not_in_force_without_it(fight):
    fight("effect ann afraid from cat")
    assert forced(fight, "ann") == {"afraid", "slow"}
    fight("leave cat")
    assert forced(fight, "ann") == {"afraid"}


def test_a_hold_breaks_when_its_source_gets_what_breaks_it(fight):
    fight("effect ann dazed from cat breaks slow", "effect cat slow")
    assert fight.names("ann") == []


def test_a_hold_breaks_when_what_breaks_it_is_only_implied(fight):
    fight("effect ann down from cat breaks slow", "effect cat dazed")
    assert fight.names("ann") == []


def test_a_hold_breaks_when_its_source_leaves(fight):
    fight("effect ann dazed from cat breaks slow", "leave cat")
    assert fight.names("ann") == []


def test_what_ends_with_its_source_needs_nothing_else_to_break_it(fight):
    fight("effect ann tied from cat", "effect bob tied", "effect cat dazed")
    assert fight.names("ann") == ["tied"]
    fight("leave cat")
    assert fight.names("ann") == [] and fight.names("bob") == ["tied"]


def test_what_hangs_on_an_effect_ends_with_it_and_so_on(fight):
    fight("effect cat afraid", "effect ann down hangs cat/afraid", "effect bob slow hangs ann/down")
    fight("remove cat afraid")
    assert fight.names("ann") == [] and fight.names("bob") == []


def test_two_of_a_name_have_ids_of_their_own(fight):
    fight("effect ann slow", "effect ann slow")
    assert [effect.id for effect in fight.who("ann").effects] == ["slow", "slow-2"]
    fight("remove ann slow-2")
    assert [effect.id for effect in fight.who("ann").effects] == ["slow"]


def test_an_event_about_somebody_who_is_gone_changes_nothing(fight):
    from affray.core.engine.evolve import evolve

    assert evolve(fight.state, LifeChanged("nobody", "dead")) is fight.state


def test_one_of_several_is_enough_for_what_they_imply(fight):
    fight("effect ann afraid from cat", "effect ann afraid from bob", "leave cat")
    assert forced(fight, "ann") == {"afraid", "slow"}


def test_a_chain_of_what_is_brought_may_be_longer_than_calls_are_deep(fight):
    chain = {f"e{n}": {"brings": [f"e{n + 1}"]} for n in range(2000)}
    fight.ruleset = replace(fight.ruleset, tables=read_tables({"effects": chain}))
    fight("effect ann e0")
    assert fight.names("ann") == [f"e{n}" for n in range(2001)]
    assert fight.who("ann").effects[7].because == "e6"
