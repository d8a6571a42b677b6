"""Threads of fate: the players' four uses, the GM's three, being inspired; and the check they bend.

A check that was just made is bent by deciding its command anew, with another outcome. The dice that
affray rolled for it fall as they did before; what comes out differently is emitted. Several
threads may bend one check: each looks back past those before it, and what they have cost counts as
if it had been paid first, so that a critical can give one of them back.

Monsters & Magic, Threads of Fate.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.decide import Decision, command_name
from affray.core.engine.effects import remove_effect
from affray.core.engine.events import CostPaid, Rolled, Step, TrackChanged
from affray.core.engine.evolve import evolve_all
from affray.core.engine.history import earlier_entries
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser import arguments
from affray.core.parser.clauses import require_one_die
from affray.core.parser.declarations import ParseState, declare_command
from affray.core.parser.errors import Refused, format_signed
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context
from affray.mechanics import checks as shared_checks
from affray.mechanics.rerolls import emit_difference, forced_by, other_rolls, redecide
from affray.rulesets.monsters_and_magic import checks, sheet
from affray.rulesets.monsters_and_magic.bonds import BOND, bond_in_words, bond_worth

KEEP, RESULTS = "keep", ("old", "new")
REROLL = "reroll"
"""The use of the GM's thread that rolls a check again."""


def on_edited_by_hand(ctx: Context, combatant_id: str) -> None:
    """Keep the room for threads equal to the PB when that is set, if it was so before."""
    now, before = ctx.state[combatant_id], ctx.before.find(combatant_id)
    track, pb = now.tracks.get("threads"), max(0, now.number("pb"))
    if track is not None and before is not None and pb != before.number("pb") == track.max:
        ctx.emit(TrackChanged(combatant_id, "threads", min(0, pb - track.value), pb, "PB"))


# -- bending it ------------------------------------------------------------------------------------


def _note_at_table(ctx: Context, what: str) -> None:
    ctx.note(f"affray doesn't know the die of the last check: {what} at the table")


def _reroll_with_thread(
    ctx: Context,
    last_check: checks.LastCheck | None,
    amount: int,
    why: str,
    at_the_table: str,
    lying: tuple[int, ...] = (),
) -> None:
    """Add to the check's total, and amend its command by the result."""
    if last_check is None or last_check.now.total is None:
        _note_at_table(ctx, at_the_table)
        return
    die = last_check.now.natural or 0
    result = _result(last_check, (die,), die, amount, f"{format_signed(amount)} {why}", what=why)
    _replace_check(ctx, last_check, result, lying)


def _result(
    last_check: checks.LastCheck,
    faces: tuple[int, ...],
    natural: int,
    more: int,
    why: str,
    by_hand: bool = False,
    what: str = "",
) -> Rolled:
    """The check with another die, or with more added to it."""
    bonus = (last_check.now.total or 0) - (last_check.now.natural or 0)
    total = natural + bonus + more
    plain = checks.outcome_of(natural, total, last_check.roll.dc)
    outcome = checks.stepped(plain, last_check.roll.step)
    was = last_check.roll
    added = bonus + more - (was.total or 0) + (was.natural or 0)
    dice = f"{was.dice}{added:+d}" if added else was.dice
    new = replace(was, faces=faces, total=total, natural=natural, outcome=outcome)
    parts = (*was.parts, Step(what, by=added)) if what else was.parts
    return replace(new, dice=dice, why=why, by_hand=by_hand, parts=parts)


def _replace_check(
    ctx: Context, last_check: checks.LastCheck, result: Rolled, lying: tuple[int, ...] = ()
) -> None:
    """Replace the result of the check, and amend its command."""
    ctx.emit(result)
    text = result.outcome if result.total is None else f"{result.total}, {result.outcome}"
    ctx.text += f": {text}"
    _amend(ctx, last_check, result.outcome, lying)


def _amend(
    ctx: Context, last_check: checks.LastCheck, outcome: str, lying: tuple[int, ...] = ()
) -> None:
    """Decide the check's command again with another outcome, and emit the differences. `lying` are
    new dice of damage. The cost of the thread itself stays. XP and threads that the first outcome
    brought are taken
    along: the check counts as it ends.
    """
    if outcome == last_check.now.outcome and not lying:
        return
    try:
        was = _state_now(ctx, last_check)
        new = _decide_with(ctx, last_check, outcome, lying)
        if new.state.taking_turn() != was.taking_turn():
            raise Refused("it would be somebody else's turn now")
    except Refused:
        if lying:
            raise
        ctx.note(f"the outcome is now {outcome}: apply what follows from it at the table")
        return
    ctx.emit(*other_rolls(new.events)[len(last_check.beside) :])
    for together in [e for e in new.events if isinstance(e, Rolled) and e.outcome and not e.who]:
        ctx.emit(together)
        ctx.text += f"; the {together.for_} is {together.outcome}"
    emit_difference(ctx, was, new.state, f"now {outcome}")


def _state_now(ctx: Context, last_check: checks.LastCheck) -> Encounter:
    """The fight as the check's command, with the threads spent on it so far, left it."""
    if last_check.stand == last_check.checks:
        return evolve_all(_paid_first(ctx, last_check), last_check.origin.entry.events)
    return _decide_with(ctx, last_check, last_check.now.outcome).state


def _decide_with(
    ctx: Context, last_check: checks.LastCheck, outcome: str, lying: tuple[int, ...] = ()
) -> Decision:
    """Decide the check's command with this outcome, and its other checks unchanged."""
    stand = list(last_check.stand)
    stand[last_check.place] = replace(last_check.now, outcome=outcome)
    before = _paid_first(ctx, last_check)
    return redecide(ctx, last_check.origin, forced_by(stand), before, last_check.beside, lying)


def _paid_first(ctx: Context, last_check: checks.LastCheck) -> Encounter:
    """The fight before the check, less the threads that it has cost since."""
    return evolve_all(
        last_check.origin.before, (*last_check.paid, *checks.threads_spent(ctx.events))
    )


# -- the players' threads --------------------------------------------------------------------------


_INSPIRED = arguments.Flag
_DIE = Annotated[DieInput, shared_checks.die_arg(checks.OUTCOMES, field=Field("die", ("20",)))]
"""A die that affray rolls if not given."""


_LYING = Annotated[tuple[int, ...], arguments.lying_dice_arg("the damage dice")]
"""The numbers on new dice after a changed outcome, such as those of damage."""


class BendLuckArgs(Struct, frozen=True):
    """The arguments of `bend-luck`; each use may say that it takes the inspiration that one has."""

    inspired: _INSPIRED = False
    rolled: _LYING = ()


class FeelingLuckyArgs(Struct, frozen=True):
    """The arguments of `feeling-lucky`: how the luck check falls."""

    die: _DIE = DieInput()
    inspired: _INSPIRED = False
    rolled: _LYING = ()


class LuckyFindArgs(Struct, frozen=True):
    """The arguments of `lucky-find`: the threads that it costs, and the find."""

    threads: Annotated[int, arguments.number_arg("the number of threads", 1)] = 1
    inspired: _INSPIRED = False
    what: Annotated[str, arguments.rest_arg("WHAT")] = ""


def _offer_others(reading: ParseState) -> bool:
    """True if a character is named; offers everybody but the thread's owner."""
    if reading.words.done:
        own = reading.value_of("combatant")
        reading.words.offered += [c.id for c in reading.ctx.state.combatants if c != own]
    return not reading.is_over


_OTHER = replace(
    arguments.combatant_arg("the other character", field=Field("ally", optional=False)),
    stands=_offer_others,
)


class BondsOfFateArgs(Struct, frozen=True):
    """The arguments of `bonds-of-fate`: the other character, and the bond's bonus; without them the
    table decides."""

    other: Annotated[Combatant | None, _OTHER] = None
    bond: Annotated[int | None, replace(BOND, requires="other")] = None
    inspired: _INSPIRED = False
    rolled: _LYING = ()


ThreadUse = BendLuckArgs | FeelingLuckyArgs | LuckyFindArgs | BondsOfFateArgs
_USES: dict[str, type[Struct]] = {
    "bend-luck": BendLuckArgs,
    "feeling-lucky": FeelingLuckyArgs,
    "lucky-find": LuckyFindArgs,
    "bonds-of-fate": BondsOfFateArgs,
}


class ThreadArgs(Struct, frozen=True):
    """The arguments of `thread`: the owner, and the purpose."""

    combatant: Annotated[
        Combatant,
        arguments.combatant_arg(
            "the character who spends the thread", field=Field("anyone", ("party",))
        ),
    ]
    use: Annotated[ThreadUse, arguments.subcommand_arg("the purpose", _USES)]


def _thread(ctx: Context, args: ThreadArgs) -> None:
    combatant, use = args.combatant, args.use
    if combatant.kind != "pc":
        raise Refused(f"{combatant.name} has no threads of fate: only characters do")
    last_check = checks.just_made(ctx.previous, ctx.ruleset, combatant.id)
    # Whom the check just made has killed may bend it: a thread comes before it is resolved.
    then = last_check.origin.before.find(combatant.id) if last_check is not None else None
    if combatant.life == "dead" and (then is None or then.life == "dead"):
        raise Refused(f"{combatant.name} is dead, and has no more threads to spend")
    if isinstance(use, BendLuckArgs):
        _bend_luck(ctx, use, combatant, last_check)
    elif isinstance(use, FeelingLuckyArgs):
        _feeling_lucky(ctx, use, combatant, last_check)
    elif isinstance(use, LuckyFindArgs):
        _lucky_find(ctx, use, combatant)
    else:
        _bonds(ctx, use, combatant, last_check)


def _pay(ctx: Context, use: ThreadUse, combatant: Combatant, name: str, threads: int = 1) -> None:
    """Spend threads, or inspiration in place of one. A spent thread gives the GM one."""
    inspired = combatant.named("inspired")
    if use.inspired and inspired is None:
        raise Refused(f"{combatant.name} is not inspired")
    if inspired is not None:
        remove_effect(ctx, combatant.id, inspired.id, f"used for {name}")
        threads -= 1
    for _ in range(threads):
        if ctx.state[combatant.id].track("threads") < 1:
            raise Refused(f"{combatant.name} has no thread of fate left")
        ctx.emit(CostPaid(combatant.id, "threads", 1, name))
        ctx.emit(TrackChanged("", "threads", 1, why="for a thread spent"))


def _may_bend(ctx: Context, combatant: Combatant, last_check: checks.LastCheck | None) -> None:
    """Raises Refused for a check that was none of one's own, forced by one or made against one."""
    if last_check is None or combatant.id in checks.parties(last_check.roll):
        return
    maker = last_check.roll.who
    roller = ctx.state.find(maker)
    ally = roller is not None and roller.side == combatant.side
    if ally or last_check.roll.against:
        hint = f"; `thread {combatant.id} bonds-of-fate {maker} N` adds a bond" if ally else ""
        whose = f"{ctx.state.name(maker)}'s check, made without them"
        raise Refused(f"{combatant.name}'s luck can't bend {whose}{hint}")


def _bend_luck(
    ctx: Context, use: BendLuckArgs, combatant: Combatant, last_check: checks.LastCheck | None
) -> None:
    _may_bend(ctx, combatant, last_check)
    if last_check is None:
        older = "`amend N` gives an older entry another outcome"
        raise Refused(f"no check was just made that luck could bend; {older}")
    luck = sheet.ability(combatant, "luck")
    _pay(ctx, use, combatant, "bend-luck")
    ctx.text = f"{combatant.name} bends luck"
    is_others = last_check is not None and last_check.roll.who != combatant.id
    either = f"{format_signed(luck)} to the check, or {format_signed(-luck)} to a foe's"
    _reroll_with_thread(
        ctx,
        last_check,
        -luck if is_others else luck,
        f"{combatant.name}'s luck",
        either,
        use.rolled,
    )


def _bonds(
    ctx: Context, use: BondsOfFateArgs, combatant: Combatant, last_check: checks.LastCheck | None
) -> None:
    other = use.other
    if other is None:  # whose bond it is, and what it is worth, is settled at the table
        _pay(ctx, use, combatant, "bonds-of-fate")
        ctx.text = f"{combatant.name} leans on a bond"
        return
    if other.id == combatant.id:
        raise Refused(f"{combatant.name} has bonds with others: name another character")
    if last_check is not None and last_check.roll.who != combatant.id:
        last_check = checks.just_made(ctx.previous, ctx.ruleset, other.id)
    if last_check is not None and last_check.roll.who not in (combatant.id, other.id):
        raise Refused(
            f"the last check is {ctx.state.name(last_check.roll.who)}'s; a bond adds only to a "
            f"check of {combatant.name} or {other.name}"
        )
    is_others = last_check is not None and last_check.roll.who == other.id
    pair = (other, combatant) if is_others else (combatant, other)
    bond, whose = bond_worth(*pair, use.bond), bond_in_words(*pair)
    _pay(ctx, use, combatant, "bonds-of-fate")
    ctx.text = f"{combatant.name} leans on {whose}"
    _reroll_with_thread(
        ctx, last_check, bond, whose, f"{format_signed(bond)} to the roll", use.rolled
    )


def _feeling_lucky(
    ctx: Context, use: FeelingLuckyArgs, combatant: Combatant, last_check: checks.LastCheck | None
) -> None:
    _may_bend(ctx, combatant, last_check)
    terms = (
        checks.CheckModifiers(dc=last_check.roll.dc, step=last_check.roll.step)
        if last_check
        else checks.CheckModifiers()
    )
    _pay(ctx, use, combatant, "feeling-lucky")
    luck = checks.CheckRequest(
        combatant.id,
        "luck",
        use.die,
        modifiers=terms,
        name="luck",  # the check that it replaces is rewarded, if it is one's own
        is_rewarded=last_check is None or last_check.roll.who != combatant.id,
    )
    outcome = luck.come_out(ctx)
    ctx.text = f"{combatant.name} feels lucky, {outcome}"
    if last_check is not None:
        _amend(ctx, last_check, outcome, use.rolled)


def _lucky_find(ctx: Context, use: LuckyFindArgs, combatant: Combatant) -> None:
    if combatant.track("threads") + (combatant.named("inspired") is not None) < use.threads:
        raise Refused(
            f"{combatant.name} has {combatant.track('threads')} threads of fate, not {use.threads}"
        )
    _pay(ctx, use, combatant, "lucky-find", use.threads)
    ctx.text = f"{combatant.name} makes a lucky find{f': {use.what}' if use.what else ''}"


# -- the GM's --------------------------------------------------------------------------------------


_RESULT = arguments.choice_arg("the result to keep", RESULTS)


class RerollArgs(Struct, frozen=True):
    """The arguments of `reroll`: how the check falls now, and which result is kept."""

    die: _DIE = DieInput()
    keep: Annotated[
        str, arguments.keyword_arg(KEEP, _RESULT, field=Field("choice", RESULTS, before=KEEP))
    ] = "new"


class KeepArgs(Struct, frozen=True):
    """The arguments of `keep`, right after a reroll."""

    which: Annotated[str, _RESULT]


_WHAT = arguments.rest_arg("WHAT", Field("text", ("what",), optional=True, asked=True))


class MonsterPowerArgs(Struct, frozen=True):
    """The arguments of `monster-power`: the power, in any words."""

    text: Annotated[str, _WHAT] = ""


class ChangeSceneArgs(Struct, frozen=True):
    """The arguments of `change-scene`: how, in any words."""

    text: Annotated[str, _WHAT] = ""


GmThreadUse = RerollArgs | KeepArgs | MonsterPowerArgs | ChangeSceneArgs
GM_USES: dict[str, type[Struct]] = {
    REROLL: RerollArgs,
    KEEP: KeepArgs,
    "monster-power": MonsterPowerArgs,
    "change-scene": ChangeSceneArgs,
}


class GmThreadArgs(Struct, frozen=True):
    """The arguments of `gm-thread`."""

    use: Annotated[GmThreadUse, arguments.subcommand_arg("the purpose", GM_USES)]


def _gm_thread(ctx: Context, args: GmThreadArgs) -> None:
    use = args.use
    if isinstance(use, KeepArgs):
        _keep(ctx, use.which)
        return
    if ctx.state.gm("threads") < 1:
        raise Refused("the GM has no thread of fate")
    name = next(name for name, args_type in GM_USES.items() if isinstance(use, args_type))
    ctx.emit(CostPaid("", "threads", 1, name))
    ctx.text = f"The GM spends a thread: {name.replace('-', ' ')}"
    if isinstance(use, RerollArgs):
        _reroll(ctx, use)
    elif use.text:
        ctx.text += f", {use.text}"


def _reroll(ctx: Context, args: RerollArgs) -> None:
    last_check = checks.just_made(ctx.previous, ctx.ruleset)
    if last_check is None or (last_check.now.total is None and not args.die.outcome):
        _note_at_table(ctx, "roll the check again and use either result")
        return
    new = _rerolled(ctx, last_check, args.die)
    if args.keep == "new":
        _replace_check(ctx, last_check, new)
    else:
        ctx.emit(new, replace(last_check.now, why="the first result stands"))
        ctx.text += f": {new.outcome}, and {last_check.now.outcome} stands"


def _rerolled(ctx: Context, last_check: checks.LastCheck, die: DieInput) -> Rolled:
    """Roll the check again, with the advantage or disadvantage of the old roll. Raises Refused for
    two dice if it had neither.
    """
    if die.outcome:
        rolled = replace(
            last_check.roll, faces=(), total=None, natural=None, why="rerolled", by_hand=True
        )
        return replace(rolled, outcome=die.outcome)
    if not last_check.roll.lean:
        require_one_die(die.faces)
    roll = last_check.roll
    dice = ctx.dice_of(roll.who, roll.for_, roll.against)
    faces = die.faces or tuple(dice.die(20) for _ in range(2 if roll.lean else 1))
    natural = min(faces) if last_check.roll.lean < 0 else max(faces)
    return _result(last_check, faces, natural, 0, "rerolled", by_hand=bool(die.faces))


def _keep(ctx: Context, which: str) -> None:
    """Choose one of the two results right after a reroll, without another thread."""
    last_check = checks.just_made(ctx.previous, ctx.ruleset)
    results = _just_rerolled(ctx)
    if last_check is None or results is None:
        raise Refused("nothing was rerolled just now: `gm-thread keep` follows `gm-thread reroll`")
    result = results[RESULTS.index(which)]
    ctx.text = f"The GM keeps the {which} result"
    _replace_check(ctx, last_check, replace(result, why=f"the {which} result stands"))


def _just_rerolled(ctx: Context) -> tuple[Rolled, Rolled] | None:
    """The results before and after the reroll just made, between which the GM chooses.

    None where the last thread was not spent for a reroll.
    """
    for entry in earlier_entries(ctx.previous):
        if command_name(entry.entry, ctx.ruleset) not in ("gm-thread", *checks.ASIDE):
            return None
        spent = {e.for_ for e in entry.entry.events if isinstance(e, CostPaid)}
        if spent:
            new = checks.checks_of(entry.entry.events)[:1] if REROLL in spent else []
            old = checks.just_made(entry.earlier(), ctx.ruleset)
            return (old.now, new[0]) if new and old is not None else None
    return None


COMMANDS = (
    declare_command(
        "thread",
        "spends a thread of fate, or inspiration, on the last check or on the story",
        ThreadArgs,
        _thread,
    ),
    declare_command("gm-thread", "spends a GM thread", GmThreadArgs, _gm_thread),
)
