"""Who holds whom, and letting go."""

import pytest
from tests.core.conftest import Play
from tests.fallen_dice import FallenDice
from tests.mechanics.situations import effect, person

from affray.core.engine.state import Encounter
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Context
from affray.mechanics.actions import ActorSituation
from affray.mechanics.conditions import end_with_all
from affray.mechanics.holds import Hold, ReleaseArgs

GRIP = Hold("gripped")


def _gripped(who, *holders):
    grips = (effect("gripped", id=f"gripped-{i}", source=by) for i, by in enumerate(holders, 1))
    return person(who, *grips)


@pytest.fixture
def fight():
    """Odo is held by Mira and by Pell, Ann by Mira, who is dragged down by what hangs on that."""
    burden = effect("burdened", hangs="ann/gripped-1")
    people = (person("mira", burden), _gripped("odo", "mira", "pell"), _gripped("ann", "mira"))
    state = Encounter(combatants=(*people, person("pell")))
    return Context(state, Play().ruleset, FallenDice(()))


def _release(ctx, hold, holder, target=None):
    paid = []
    args = ReleaseArgs(ctx.state[target] if target else None)
    hold.release(ctx, args, ctx.state[holder], lambda *what: paid.append(what))
    assert paid == [()]
    return ctx.text


def _ids(people):
    return [each.id for each in people]


def test_somebody_is_held_by_the_source_of_the_effect(fight):
    state = fight.state
    assert _ids(GRIP.held_by(state, "mira")) == ["odo", "ann"]
    assert [each.source for each in GRIP.on(state["odo"])] == ["mira", "pell"]
    assert [each.id for each in GRIP.require(state["pell"], state["odo"])] == ["gripped-2"]
    assert GRIP.only_held(state, state["pell"]).id == "odo"
    now = ActorSituation(fight.tables, state, state["ann"])
    assert GRIP.why_nobody(now) == "holds nobody"


def test_one_lets_go_of_one_or_of_all_whom_one_holds(fight):
    assert _release(fight, GRIP, "mira", "odo") == "Mira lets go of Odo"
    assert [each.source for each in GRIP.on(fight.state["odo"])] == ["pell"]
    assert _release(fight, GRIP, "mira") == "Mira lets go of Ann"
    assert GRIP.held_by(fight.state, "mira") == []


def test_where_it_goes_one_by_one_it_must_be_said_who(fight):
    grip = Hold("gripped", end_with_all, one_by_one=True)
    with pytest.raises(Refused, match="Mira holds several: say which, odo or ann"):
        _release(fight, grip, "mira")
    assert _release(fight, grip, "mira", "ann") == "Mira lets go of Ann"
    assert fight.state["mira"].effects == ()  # what hung on it has ended at once
    assert _release(fight, grip, "pell") == "Pell lets go of Odo"


def test_nobody_lets_go_of_whom_they_do_not_hold(fight):
    with pytest.raises(Refused, match="Pell doesn't hold Ann"):
        _release(fight, GRIP, "pell", "ann")
    with pytest.raises(Refused, match="Ann holds nobody"):
        _release(fight, Hold("gripped", one_by_one=True), "ann")
