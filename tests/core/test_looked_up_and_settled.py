"""What is found or settled by a shorter way is what the long way gives."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, strategies as st
from msgspec.structs import replace
from tests.core.conftest import BARE

from affray.core.dice import SeededDice
from affray.core.engine.effects import active_effects, apply_invariants
from affray.core.engine.events import EffectLost
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.rules.ruleset import Context

PEOPLE = ("ann", "bob", "cat", "dan")
NAMES = ("dazed", "slow", "afraid", "down")


def there(people: Sequence[str]) -> Encounter:
    return Encounter(combatants=tuple(Combatant(who, who, "foes", "monster") for who in people))


@given(st.lists(st.permutations(PEOPLE).flatmap(lambda p: st.sampled_from([p, p[:2], p[1:]]))))
def test_whoever_is_found_is_there_in_this_state_whatever_state_was_asked_before(fights):
    for state in map(there, fights):
        for who in PEOPLE:
            found = next((c for c in state.combatants if c.id == who), None)
            assert state.find(who) is found
            place = state.place_of(who)
            assert (None if place is None else state.combatants[place]) is found


def test_somebody_who_left_is_not_found_in_the_place_they_had():
    before, after = there(["ann", "bob"]), there(["bob"])
    assert before.find("ann") is not None
    assert after.find("ann") is None and after.find("bob") is after.combatants[0]
    assert before.find("bob") is before.combatants[1]


@given(st.permutations(PEOPLE), st.sets(st.sampled_from(PEOPLE)), st.booleans())
def test_those_are_changed_who_are_not_as_they_were_before_the_command(people, changed, comes):
    before = there(people[1:] if comes else people)
    now = [replace(c, hidden=True) if c.id in changed else c for c in before.combatants]
    new = there(people).combatants[:comes]
    ctx = Context(before, BARE, SeededDice(1))
    ctx.state = replace(before, combatants=(*now, *new))
    assert ctx.changed() == [c for c in ctx.state.combatants if c is not before.find(c.id)]
    assert {c.id for c in ctx.changed()} == (changed & {c.id for c in now}) | {c.id for c in new}


_effects = st.builds(
    Effect,
    id=st.sampled_from(["x", "y"]),
    name=st.sampled_from(NAMES),
    kind=st.just("condition"),
    source=st.sampled_from(["", "gone", *PEOPLE]),
    breaks=st.sampled_from([(), (), ("slow",), ("down",)]),
    ends_with_source=st.booleans(),
    hangs=st.sampled_from(["", "", *(f"{who}/{id_}" for who in (*PEOPLE, "gone") for id_ in "xy")]),
)
_each = st.lists(_effects, max_size=2, unique_by=lambda effect: effect.id)


@given(st.lists(_effects))
def test_effects_found_by_their_name_are_those_of_it_in_their_order(effects):
    who = Combatant("ann", "Ann", "foes", "monster", effects=tuple(effects))
    for name in NAMES:
        expected = [effect for effect in effects if effect.name == name]
        assert list(who.all_named(name)) == expected
        assert who.named(name) is (expected[0] if expected else None)


def _is_broken(state: Encounter, effect: Effect) -> bool:
    keeper, _, held = effect.hangs.partition("/")
    holder = state.find(keeper)
    if effect.hangs and (holder is None or holder.effect(held) is None):
        return True
    if not effect.source or not (effect.breaks or effect.ends_with_source):
        return False
    source = state.find(effect.source)
    return source is None or bool({*active_effects(BARE.tables, state, source)} & {*effect.breaks})


def _one_by_one(state: Encounter) -> list[tuple[str, str]]:
    """What ends, when after each end all of the fight is looked at again."""
    ended: list[tuple[str, str]] = []
    while True:
        broken = ((c, e) for c in state.combatants for e in c.effects if _is_broken(state, e))
        bearer, effect = next(broken, (None, None))
        if bearer is None or effect is None:
            return ended
        ended.append((bearer.id, effect.id))
        left = replace(bearer, effects=tuple(e for e in bearer.effects if e is not effect))
        people = tuple(left if c is bearer else c for c in state.combatants)
        state = replace(state, combatants=people)


@given(st.tuples(*(_each for _ in PEOPLE)))
def test_what_can_t_last_ends_in_the_order_in_which_it_is_found_first(rows):
    people = zip(there(PEOPLE).combatants, rows, strict=True)
    state = Encounter(combatants=tuple(replace(c, effects=tuple(row)) for c, row in people))
    ctx = Context(state, BARE, SeededDice(0))
    apply_invariants(ctx)
    lost = [(event.who, event.effect) for event in ctx.events if isinstance(event, EffectLost)]
    assert lost == _one_by_one(state)
