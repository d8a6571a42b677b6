"""Harm: armour, HP, STR behind them, and the save that a wound asks for."""

from typing import Annotated

from msgspec import Struct

from affray.core.dice import DieInput
from affray.core.engine.effects import EffectSpec, end_effects_named
from affray.core.engine.events import LifeChanged, TrackChanged
from affray.core.engine.state import Combatant, Effect
from affray.core.parser import arguments
from affray.core.parser.declarations import declare_command
from affray.core.rules.ruleset import Context, StateRules
from affray.mechanics import checks, conditions, damage, saves
from affray.mechanics.stats import CombatantSituation, situation_in_command, stat_value
from moor.sheet import ABILITIES, STATS

WORDS = checks.OutcomeWords({"pass": "pass", "fail": "fail"})
LASTING = conditions.DurationRules()


class Save(checks.Check, frozen=True):
    """A d20 at or under what is left of an ability: `Save("mira", "str")`."""

    numbers = STATS

    @property
    def label(self) -> str:
        return f"{self.stat.upper()} save"

    def target_number(self, ctx: Context) -> int:
        return ctx.state[self.who].track(self.stat)

    def outcome(self, roller: CombatantSituation, natural: int, total: int, dc: int | None) -> str:
        return "pass" if natural == 1 or (natural <= (dc or 0) and natural < 20) else "fail"


def harm(ctx: Context, target_id: str, amount: int, by: str, name: str) -> None:
    """Deal damage: armour takes from it, then HP, then STR; then a wound asks for a save."""
    target = damage.resolve_damage_target(ctx, target_id)
    armour = stat_value(situation_in_command(STATS, ctx, target), "armour")
    steps = [damage.subtract(armour, "armour")] if armour else []
    amount, how = damage.apply_steps(ctx, target_id, amount, steps)
    if not amount:
        damage.tell_of_none(ctx, target_id, how)
        return
    loss = damage.lose_hp(ctx, target_id, amount, how)
    wound = min(-min(loss.depth, 0), target.track("str"))
    if wound:
        ctx.emit(TrackChanged(target_id, "str", -wound, why="beyond HP"))
    if wound and ctx.state[target_id].track("str") and ctx.state[target_id].life == "up":
        saves.owe(ctx, target_id, by, name)
        if (die := saves.die_of(ctx, target, by)) is not None:
            settle(ctx, target_id, ctx.state[target_id].effects[-1], die)


def settle(ctx: Context, target_id: str, owed: Effect, die: DieInput) -> str:
    """Make the save that a wound asks for: who fails is out of the fight."""
    saves.end_owed(ctx, target_id, owed)
    outcome = Save(target_id, "str", die, against=owed.source).make(ctx).outcome
    if outcome == "fail":
        end_effects_named(ctx, target_id, "tended", "wounded again")
        conditions.apply_condition(LASTING, ctx, target_id, EffectSpec("bleeding"))
    return outcome


class State(StateRules):
    """Who has no STR is dead; who bleeds is down, and gets up when tended."""

    def apply_invariants(self, ctx: Context) -> None:
        for combatant in ctx.changed():
            if combatant.life == "dead" or "str" not in combatant.tracks:
                continue
            bleeds = combatant.named("bleeding") is not None
            if not combatant.track("str"):
                ctx.emit(LifeChanged(combatant.id, "dead", "0 STR"))
            elif bleeds and combatant.life == "up":
                life = "dying" if combatant.kind == "pc" else "defeated"
                ctx.emit(LifeChanged(combatant.id, life, "bleeding"))
            elif not bleeds and combatant.life in ("dying", "defeated"):
                ctx.emit(LifeChanged(combatant.id, "up", "tended"))


def _damage(ctx: Context, target_id: str, args: damage.DamageArgs, half: bool) -> None:
    harm(ctx, target_id, args.amount // 2 if half else args.amount, "", "the damage")


class SaveArgs(Struct, frozen=True):
    """`save mira dex natural 9`."""

    who: Annotated[Combatant, arguments.combatant_arg("who saves")]
    ability: Annotated[str, arguments.choice_arg("an ability", ABILITIES)]
    die: Annotated[DieInput, checks.die_arg(WORDS)]


def _save(ctx: Context, args: SaveArgs) -> None:
    outcome = Save(args.who.id, args.ability, args.die).make(ctx).outcome
    ctx.text = f"{args.who.name}'s {args.ability.upper()} save: {outcome}"


class WithstandArgs(Struct, frozen=True):
    """`withstand mira pass`."""

    people: Annotated[list[Combatant], arguments.combatants_arg("who saves")]
    dice: Annotated[list[DieInput], checks.die_arg(WORDS, of="people")]


def _withstand(ctx: Context, args: WithstandArgs) -> None:
    saves.withstand(ctx, args.people, args.dice, settle)


COMMANDS = (
    damage.damage_command("takes HP, then STR", damage.DamageArgs, _damage),
    declare_command("save", "makes a save", SaveArgs, _save),
    declare_command("withstand", "makes the save that a wound asks for", WithstandArgs, _withstand),
)
