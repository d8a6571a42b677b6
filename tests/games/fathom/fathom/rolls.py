"""Pools of dice: what they come to, pushing, assisting, and what acts do to clocks."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from affray import Refused
from affray.core.dice import DieInput
from affray.core.engine.events import LifeChanged, TrackChanged
from affray.core.engine.state import Combatant
from affray.core.parser import arguments
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context, StateRules
from affray.mechanics import actions, checks, techniques
from affray.mechanics.conditions import DurationRules, apply_condition
from affray.mechanics.stats import CombatantSituation, StatPart, situation_in_command, stat_value
from fathom.sheet import ACTIONS, STATS

OUTCOMES = {word: word for word in ("bad", "partial", "full", "crit")}
WORDS = checks.OutcomeWords(OUTCOMES, dice="8d6")
POSITIONS, EFFECTS = ("controlled", "risky", "desperate"), ("limited", "standard", "great")
LASTING = DurationRules()


class Pool(checks.Check, frozen=True):
    """So many d6, of which the highest counts; with none the lower of two."""

    count: int = 0

    numbers = STATS

    def parts(self, ctx: Context, roller: CombatantSituation) -> Sequence[StatPart]:
        return ()

    def dice(self, ctx: Context, roller: CombatantSituation) -> str:
        return f"{max(self.count, 0) or 2}d6"

    def counted(self, faces: Sequence[int]) -> int:
        return max(faces) if self.count > 0 else min(faces)

    def outcome_of_dice(
        self,
        roller: CombatantSituation,
        faces: Sequence[int],
        natural: int,
        total: int,
        dc: int | None,
    ) -> str:
        if self.count > 0 and list(faces).count(6) > 1:
            return "crit"
        return "full" if natural == 6 else "partial" if natural > 3 else "bad"


_POSITION = arguments.choice_arg("a position", POSITIONS)
_EFFECT = arguments.choice_arg("an effect", EFFECTS)
_HELP = arguments.combatant_arg("who assists")


class ActWords(Struct, frozen=True):
    """What may stand behind the die: `from desperate for great push help odo`."""

    position: Annotated[
        str, arguments.keyword_arg("from", _POSITION, field=Field("choice", POSITIONS))
    ] = "risky"
    effect: Annotated[
        str, arguments.keyword_arg("for", _EFFECT, field=Field("choice", EFFECTS))
    ] = "standard"
    push: Annotated[bool, arguments.flag_arg(heard="push")] = False
    help: Annotated[Combatant | None, arguments.keyword_arg("help", _HELP)] = None


class ActArgs(Struct, frozen=True):
    """`act ghoul-1 skirmish natural 6,4 push`, `act ghoul-1 full for great`."""

    target: Annotated[Combatant, arguments.combatant_arg("whom it is about")]
    die: Annotated[DieInput, checks.die_arg(WORDS)]
    action: Annotated[
        str, arguments.keyword_arg("with", arguments.choice_arg("an action", ACTIONS))
    ] = "skirmish"
    words: Annotated[ActWords, arguments.keyword_args(ActWords)] = ActWords()


def act(ctx: Context, args: ActArgs, combatant: Combatant, pay: actions.PayFunction) -> None:
    """Pay, roll the pool, and tick the clock of whom it is about."""
    words, economy = args.words, ctx.tables.economy
    actions.require_other_target(combatant, args.target, args.action)
    pay()
    if words.push:
        take_stress(ctx, combatant, economy["push"], "pushes")
    if words.help is not None:
        actions.require_other_target(combatant, words.help, "assist")
        take_stress(ctx, words.help, economy["assist"], "assists")
    now = situation_in_command(STATS, ctx, ctx.state[combatant.id])
    more = words.push + (words.help is not None) + stat_value(now, "dice")
    count = combatant.number(args.action) + more
    roll = Pool(combatant.id, args.action, args.die, against=args.target.id, count=count)
    outcome = roll.make(ctx).outcome
    if outcome != "bad":
        step = EFFECTS.index(words.effect) + stat_value(now, "effect") + (outcome == "crit")
        tick(ctx, args.target.id, step + 1)
    cost = "" if outcome in ("full", "crit") else f", and a {words.position} consequence"
    ctx.text = f"{combatant.name} acts on {args.target.name}: {outcome}{cost}"


def tick(ctx: Context, who: str, ticks: int) -> None:
    """Fill so many segments of somebody's clock, no more than there are."""
    clock = ctx.state[who].tracks.get("clock")
    left = (clock.max or 0) - clock.value if clock is not None else 0
    if min(left, ticks) > 0:
        ctx.emit(TrackChanged(who, "clock", min(left, ticks)))


def take_stress(ctx: Context, combatant: Combatant, amount: int, why: str) -> None:
    """Mark stress, or clear some; who has none to mark can't."""
    stress = combatant.tracks.get("stress")
    if stress is None:
        raise Refused(f"{combatant.name} knows no stress")
    by = max(-stress.value, min(amount, (stress.max or amount) - stress.value))
    if by:
        ctx.emit(TrackChanged(combatant.id, "stress", by, why=why))


class State(StateRules):
    """A full clock is the end of a foe; full stress is a trauma, and the scene goes on without."""

    def apply_invariants(self, ctx: Context) -> None:
        for combatant in ctx.changed():
            is_up = combatant.life == "up"
            clock, stress = combatant.tracks.get("clock"), combatant.tracks.get("stress")
            if clock is not None and is_up and clock.value == clock.max:
                ctx.emit(LifeChanged(combatant.id, "defeated", "the clock is full"))
            elif clock is not None and combatant.life == "defeated" and clock.value != clock.max:
                ctx.emit(LifeChanged(combatant.id, "up", "the clock is open again"))
            if stress is not None and is_up and stress.value == stress.max:
                ctx.emit(TrackChanged(combatant.id, "stress", -stress.value, why="trauma"))
                ctx.emit(TrackChanged(combatant.id, "trauma", 1, why="too much stress"))
                ctx.emit(LifeChanged(combatant.id, "unconscious", "trauma"))


TECHNIQUES = techniques.TechniqueRunner(
    actions.ActionEconomy(),
    lambda ctx, who, spec: apply_condition(LASTING, ctx, who, spec),
    acts={"act": actions.DeclaredTechnique(ActArgs, act)},
)
