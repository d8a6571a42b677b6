"""Falling and rising: why somebody is out is an id; who fell in their own turn; set by hand."""

import pytest
from msgspec.structs import replace
from tests.core.conftest import Play, ruled

from affray.core.engine.events import LifeChanged, TrackChanged, UseCounted
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Command
from affray.core.rules.tables import EffectRow, TrackRow
from affray.mechanics import checks, damage, dying

DOWN, ASLEEP = "at-zero", "a-spell"


def _fall(ctx, who):
    dying.start_dying(ctx, who, "0 HP")
    dying.fall_unconscious(ctx, who, DOWN)


def _rise(ctx, who, why):
    dying.wake_up(ctx, who, why, lambda effect: effect.because == DOWN)
    dying.reset_counts(ctx, who, dying.DEATH_SAVES, why)
    ctx.emit(LifeChanged(who, "up", why))


def _hurt(ctx, who, said, half):
    loss = damage.lose_hp(ctx, who, said.amount, "hurt", floor=None)
    if loss.depth <= 0 and ctx.state[who].life == "up":
        _fall(ctx, who)


def _knock_out(ctx, who):
    ctx.emit(LifeChanged(who, "unconscious", "knocked out"))


def _set_by_hand(ctx, who):
    dying.after_manual_hp(ctx, who, _fall, _rise, lambda c: c.named("unconscious") is not None)


def _count(ctx, who, track):
    ctx.emit(TrackChanged(who, track, 1))
    dying.count_death_saves(
        ctx,
        who,
        lambda ctx, who, why: ctx.emit(LifeChanged(who, "dead", why)),
        lambda ctx, who, why: ctx.emit(LifeChanged(who, "stable", why)),
    )


def _on(call):
    """A command `VERB NAME [WORD]` that does one thing to somebody."""
    return lambda ctx, words: call(ctx, words.combatant().id, str(words.next("a word")))


COMMANDS = (
    damage.damage_command("hurts", damage.DamageArgs, _hurt),
    dying.knock_out_command("knocks out", _knock_out),
    Command("sleep", "sleep NAME WHY", "lays asleep", _on(dying.fall_unconscious)),
    Command("rise", "rise NAME WHY", "brings back", _on(_rise)),
    Command(
        "life", "life NAME LIFE", "says", _on(lambda ctx, who, to: ctx.emit(LifeChanged(who, to)))
    ),
    Command(
        "roll", "roll NAME WHAT", "counts", _on(lambda ctx, who, it: ctx.emit(UseCounted(who, it)))
    ),
    Command("count", "count NAME TRACK", "counts", _on(_count)),
)


@pytest.fixture
def fight():
    """Ann is up, then Bob, 10 HP each."""
    play = Play()
    tables = play.ruleset.tables
    effects = {**tables.effects, "charmed": EffectRow(implies=("unconscious",))}
    commands = {**play.ruleset.commands, **{command.name: command for command in COMMANDS}}
    tracks = {"hp": TrackRow("HP", below=True)}
    economy = {**tables.economy, "death_saves": 3}
    tables = replace(tables, effects=effects, tracks=tracks, economy=economy)
    play.ruleset = ruled(
        play.ruleset, commands=commands, tables=tables, on_edited_by_hand=_set_by_hand
    )
    play("add pc Ann", "add pc Bob", "init ann 9", "init bob 5", "start")
    return play


def _reasons(play, who):
    return [effect.because for effect in play.who(who).effects]


def test_somebody_is_unconscious_once_for_each_reason_and_wakes_from_some_alone(fight):
    fight("sleep ann a-spell", "sleep ann a-spell", "sleep ann poison", "damage ann 10")
    assert _reasons(fight, "ann") == [ASLEEP, "poison", DOWN]
    assert dying.is_unconscious(fight.who("ann"), DOWN)
    assert not dying.is_unconscious(fight.who("bob"), DOWN)
    fight("rise ann healed")
    assert _reasons(fight, "ann") == [ASLEEP, "poison"]


def test_what_implies_unconscious_is_ended_by_waking_as_well(fight):
    wake = Command(
        "wake", "wake NAME -", "", _on(lambda c, w, _: dying.wake_up(c, w, "", lambda e: True))
    )
    fight.ruleset = replace(fight.ruleset, commands={**fight.ruleset.commands, "wake": wake})
    fight("effect ann charmed", "effect ann dazed", "sleep ann poison", "wake ann -")
    assert fight.names("ann") == ["dazed"]


def test_whoever_falls_in_their_own_turn_did_not_start_it_dying(fight):
    fight("damage ann,bob 10")
    assert not dying.owes_death_roll(fight.who("ann"), "save")
    assert dying.owes_death_roll(fight.who("bob"), "save")
    fight("roll bob save")
    assert not dying.owes_death_roll(fight.who("bob"), "save")
    fight("next", "next")
    assert dying.owes_death_roll(fight.who("ann"), "save")
    fight("life ann stable")
    assert not dying.owes_death_roll(fight.who("ann"), "save")


def test_the_roll_of_the_dying_waits_with_its_answers(fight):
    rows = (("s", "success", "success"), ("c", "20 or higher", "crit"))
    due = checks.deferred_roll(fight.who("bob"), "death", "is dying: luck roll", "death roll", rows)
    assert (due.what, due.die, due.holds) == ("Bob is dying: luck roll", "death bob", True)
    assert due.missed == "Bob's death roll was rolled"
    assert [(c.key, c.label, c.command) for c in due.choices] == [
        ("s", "success", "death bob success"),
        ("c", "20 or higher", "death bob crit"),
    ]


@pytest.mark.parametrize(
    ("track", "becomes"), [("death_failures", "dead"), ("death_successes", "stable")]
)
def test_three_of_a_kind_kill_or_stabilise(fight, track, becomes):
    fight("damage ann 10", *[f"count ann {track}"] * 2)
    assert fight.who("ann").life == "dying"
    fight(f"count ann {track}")
    assert fight.who("ann").life == becomes


def test_all_counts_begin_anew_with_whoever_is_stable_or_rises(fight):
    fight("damage ann 10", "count ann death_failures", *["count ann death_successes"] * 3)
    assert [fight.who("ann").track(track) for track in dying.DEATH_SAVES] == [0, 0]
    fight("count ann death_failures", "rise ann healed")
    assert fight.who("ann").track("death_failures") == 0


@pytest.mark.parametrize(
    ("lines", "becomes"),
    [
        (("set ann hp 0",), "dying"),
        (("set ann hp 3",), "up"),
        (("damage ann 10", "set ann hp 0"), "dying"),
        (("damage ann 10", "set ann hp 4"), "up"),
        (("damage ann 14", "life ann stable", "set ann hp 1"), "up"),
        (("life ann dead", "set ann hp 0"), "dead"),
        (("life ann dead", "set ann hp 4"), "up"),
        (("life ann dead", "set ann might 4"), "dead"),
        (("damage ann 10", "life ann unconscious", "set ann hp -3"), "unconscious"),
        (("sleep ann poison", "life ann unconscious", "set ann hp 4"), "unconscious"),
        (("sleep ann poison", "life ann unconscious", "remove ann unconscious"), "up"),
    ],
)
def test_what_is_set_by_hand_brings_down_back_or_awake(fight, lines, becomes):
    fight(*lines)
    assert fight.who("ann").life == becomes


def test_only_whom_the_last_entry_brought_down_is_knocked_out(fight):
    fight("add pc Cat", "damage ann 4", "damage ann,bob 9")
    with pytest.raises(Refused, match="Cat was not just brought to 0 HP"):
        fight("knock-out cat")
    with pytest.raises(Refused, match="Bob was not"):
        fight("knock-out ann,bob")
    fight("knock out ann")
    assert [fight.who(who).life for who in ("ann", "bob")] == ["unconscious", "up"]


def test_several_are_knocked_out_one_after_the_other(fight):
    fight("damage ann,bob 10", "knock-out ann", "knock out bob")
    assert [fight.who(who).life for who in ("ann", "bob")] == ["unconscious", "unconscious"]


def test_nobody_is_knocked_out_who_lay_there_or_whom_no_damage_brought_down(fight):
    fight("damage ann 10", "damage ann 1")
    with pytest.raises(Refused, match="Ann was not just brought"):
        fight("knock-out ann")
    fight("life bob dying")
    with pytest.raises(Refused, match="Bob was not just brought"):
        fight("knock-out bob")
