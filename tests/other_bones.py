"""A game of other bones, in one module: no d20, no HP. What is asked of the kit is tried on it.

Its checks throw 2d6, pools of as many d6 as an ability has, step dice, or d100 under a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Struct, defstruct
from tests.mechanics.situations import NUMBERS

from affray.core.dice import DieInput
from affray.core.engine.events import LifeChanged, TrackChanged
from affray.core.engine.state import Combatant, Encounter, Track
from affray.core.parser import arguments
from affray.core.parser.declarations import declare_command
from affray.core.rules.ruleset import Context, PendingDecision, Ruleset, StateRules, TurnRules
from affray.core.rules.tables import Tables, read_tables
from affray.mechanics import checks
from affray.mechanics.sheet import FieldSheet, Sheet, SheetFieldGroup, number_fields, track_fields
from affray.mechanics.stats import CombatantSituation

ROWS = {
    "leans": True,
    "tracks": {
        "grit": {"label": "Grit", "shown": "pips", "everybody": True, "recap": "damage"},
    },
    "outcomes": {
        "miss": {"key": "m", "hits": False},
        "partial": {"key": "p"},
        "full": {"key": "f"},
    },
    "prompts": {
        name: {"key": key, "label": name.title(), "command": name}
        for name, key in (("risk", "R"), ("push", "P"), ("leap", "L"), ("sneak", "X"))
    },
}
WORDS = {"miss": "miss", "partial": "partial", "full": "full"}


class Risk(checks.Check, frozen=True):
    """2d6 and a bonus: 10 is all of it, 7 a part."""

    numbers = NUMBERS

    def dice(self, ctx: Context, roller: CombatantSituation) -> str:
        return "2d6"

    def outcome(self, roller: CombatantSituation, natural: int, total: int, dc: int | None) -> str:
        return "full" if total >= 10 else "partial" if total >= 7 else "miss"


class Push(Risk, frozen=True):
    """As many d6 as there are of grit, each 5 or 6 a success; two sixes are all of it."""

    def dice(self, ctx: Context, roller: CombatantSituation) -> str:
        return f"{roller.who.number('pool', 1)}d6"

    def counted(self, faces: Sequence[int]) -> int:
        return sum(face >= 5 for face in faces)

    def outcome_of_dice(
        self,
        roller: CombatantSituation,
        faces: Sequence[int],
        natural: int,
        total: int,
        dc: int | None,
    ) -> str:
        return "full" if faces.count(6) > 1 else "partial" if natural else "miss"


class Leap(Risk, frozen=True):
    """A die by step, d4 to d12: 4 and more is done."""

    def dice(self, ctx: Context, roller: CombatantSituation) -> str:
        return f"1d{roller.who.number('step', 6)}"

    def outcome(self, roller: CombatantSituation, natural: int, total: int, dc: int | None) -> str:
        return "full" if total >= 4 else "miss"


class Sneak(Risk, frozen=True):
    """A d100 that stays under a number; the lower of two with advantage."""

    low_is_good = True

    def dice(self, ctx: Context, roller: CombatantSituation) -> str:
        return "1d100"

    def outcome(self, roller: CombatantSituation, natural: int, total: int, dc: int | None) -> str:
        return "full" if natural <= roller.who.number("stealth", 50) else "miss"


def _args(name: str, dice: str) -> type[Struct]:
    target = arguments.combatant_arg("whom it is done to")
    die = checks.die_arg(checks.OutcomeWords(WORDS, dice=dice))
    fields = [("target", Annotated[Combatant, target]), ("die", Annotated[DieInput, die])]
    return defstruct(name, fields, bases=(checks.RollModifiers,), frozen=True, kw_only=True)


def _roll(check: type[checks.Check]) -> Any:
    def run(ctx: Context, args: Any) -> None:
        actor = ctx.actor()
        roll = check(
            actor.id, check.__name__.lower(), args.die, against=args.target.id, modifiers=args
        )
        outcome = roll.make(ctx).outcome
        if outcome == "full":
            lost = min(1, args.target.track("grit"))
            ctx.emit(TrackChanged(args.target.id, "grit", -lost))
        ctx.text = f"{actor.name}: {outcome}"

    return run


class SteadyArgs(Struct, frozen=True):
    who: Annotated[Combatant, arguments.combatant_arg("who steadies")]
    die: Annotated[DieInput, checks.die_arg(checks.OutcomeWords(WORDS, dice="2d6"))]


def _steady(ctx: Context, args: SteadyArgs) -> None:
    outcome = Risk(args.who.id, "steady", args.die).make(ctx).outcome
    ctx.text = f"{args.who.name} steadies: {outcome}"


_CHECKS = ((Risk, "2d6"), (Push, "8d6"), (Leap, "1d12"), (Sneak, "1d100"))
COMMANDS = (
    *(
        declare_command(
            each.__name__.lower(), "is a check", _args(each.__name__, dice), _roll(each), acts=True
        )
        for each, dice in _CHECKS
    ),
    declare_command("steady", "is a check at a turn's start", SteadyArgs, _steady),
)


class Sheets(FieldSheet):
    def groups(self, tables: Tables) -> tuple[SheetFieldGroup, ...]:
        return (track_fields("grit"), number_fields("pool", "step", "stealth"))

    def complete(
        self, ctx: Context, kind: str, sheet: Sheet
    ) -> tuple[dict[str, Any], dict[str, Track]]:
        return sheet.stats, {name: track.left for name, track in sheet.tracks.items()}


class Turns(TurnRules):
    def pending_decisions(self, tables: Tables, state: Encounter) -> list[PendingDecision]:
        shaky = [each for each in state.all_up() if each.track("grit") == 1]
        answers = [("f", "full", "full"), ("m", "miss", "miss")]
        return [
            checks.deferred_roll(each, "steady", "is shaky: steady", "check", answers, dice="2d6")
            for each in shaky
        ]


class State(StateRules):
    def apply_invariants(self, ctx: Context) -> None:
        for each in ctx.changed():
            if "grit" in each.tracks and not each.track("grit") and each.life == "up":
                ctx.emit(LifeChanged(each.id, "defeated", "no grit"))


BONES = Ruleset(
    id="bones",
    name="Bones",
    tables=read_tables(ROWS),
    commands={command.name: command for command in COMMANDS},
    sheet=Sheets(),
    turns=Turns(),
    state=State(),
    usual_attack="risk",
    example_foe="grit 3",
)
RULESET = BONES
PEOPLE = (
    "add pc Mira grit 4 pool 4 step 8 stealth 60",
    "add monster Ghoul grit 3 pool 1",
    "init mira 15",
    "init ghoul 5",
    "start",
)
