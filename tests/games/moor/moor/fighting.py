"""Attacks, which always hit, who goes first, turns, and rests."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated

from msgspec import Struct

from affray import Refused
from affray.core.dice import DieInput
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names
from affray.core.parser.declarations import declare_command
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context, InitiativeRules, PendingDecision, TurnRules
from affray.core.rules.tables import Tables
from affray.mechanics import actions, checks, conditions, rests, saves, techniques
from moor import harm
from moor.sheet import ABILITIES, Attack, attacks_of

ORDER = {"pass": 2, "foes": 1, "fail": 0}
"""Who passes a DEX save acts before the foes; the others after them."""
ANSWERS = (("p", "pass", "pass"), ("f", "fail", "fail"))


class Initiative(InitiativeRules):
    """Characters save; foes go between those who pass and those who fail."""

    def words(self, tables: Tables) -> Mapping[str, int]:
        return ORDER

    def roll(self, ctx: Context, ids: list[str], faces: tuple[int, ...] = ()) -> dict[str, int]:
        found = dict.fromkeys(ids, ORDER["foes"])
        for who in (who for who in ids if ctx.state[who].side == "party"):
            save = harm.Save(who, "dex", DieInput(faces=faces), name="initiative")
            found[who] = ORDER[save.make(ctx).outcome]
        return found


class Turns(TurnRules):
    """An action at each turn's start; a save that nobody has made is rolled at its end."""

    def on_turn_start(self, ctx: Context, combatant_id: str) -> None:
        actions.reset_turn_track(ctx, combatant_id, "action", 1)

    def on_turn_ending(self, ctx: Context, combatant_id: str) -> None:
        saves.roll_deferred(ctx, harm.settle)

    def on_fight_end(self, ctx: Context) -> None:
        rests.end_fight_effects(ctx)

    def pending_decisions(self, tables: Tables, state: Encounter) -> list[PendingDecision]:
        return [*saves.pending_decisions(state, lambda owed: "STR save", ANSWERS)]


_WEAPON = arguments.custom_name_arg("the attack", lambda reading: attacks_of(reading.ctx.actor()))
_BESIDE = arguments.combatants_arg("who attacks it as well")


class AttackWords(Struct, frozen=True):
    """What may stand behind the damage: `with bow`, `impaired`, `beside odo,bea`."""

    weapon: Annotated[
        Attack | None, arguments.keyword_arg("with", _WEAPON, field=Field("weapon"))
    ] = None
    impaired: Annotated[bool, arguments.flag_arg(heard="impaired")] = False
    enhanced: Annotated[bool, arguments.flag_arg(heard="enhanced")] = False
    beside: Annotated[list[Combatant], arguments.keyword_arg("beside", _BESIDE)] = []


class AttackArgs(Struct, frozen=True):
    """`attack ghoul-1 5 with bow`, `attack ghoul-1 roll beside odo`."""

    target: Annotated[Combatant, arguments.combatant_arg("who is attacked")]
    rolled: Annotated[int | str, arguments.damage_arg()] = ""
    words: Annotated[AttackWords, arguments.keyword_args(AttackWords)] = AttackWords()


def dice_of(ctx: Context, combatant: Combatant, words: AttackWords) -> tuple[str, str]:
    """The name and the dice of an attack, as the situation has them."""
    weapon = words.weapon or next(iter(attacks_of(combatant).values()), None)
    if weapon is None:
        raise Refused(f"{combatant.name} has no attack")
    changed = "impaired" if words.impaired else "enhanced" if words.enhanced else ""
    return weapon.name, ctx.tables.economy[changed] if changed else weapon.dice


def attack(ctx: Context, args: AttackArgs, combatant: Combatant, pay: actions.PayFunction) -> None:
    """Pay, roll the dice of all who attack, and let the highest land."""
    target, beside = args.target, args.words.beside
    in_fight = ctx.state.phase == "combat"
    actions.require_other_target(combatant, target, "attack")
    name, dice = dice_of(ctx, combatant, args.words)
    pay()
    amount = dice if args.rolled == "" else args.rolled
    if isinstance(amount, str):
        amount = checks.roll_extra_dice(ctx, combatant.id, amount, "damage", target.id)
    rolls = [amount]
    for other in beside:
        if in_fight and not other.track("action"):
            raise Refused(f"{other.name} has acted in this round")
        if in_fight:
            actions.pay_ahead(ctx, other.id, "attack", {"action": 1})
        _, own = dice_of(ctx, other, AttackWords())
        rolls.append(checks.roll_extra_dice(ctx, other.id, own, "damage", target.id))
    harm.harm(ctx, target.id, max(rolls), combatant.id, name)
    who = join_names([combatant, *beside])
    ctx.text = f"{who} {'attack' if beside else 'attacks'} {target.name} with {name}"


TECHNIQUES = techniques.TechniqueRunner(
    actions.ActionEconomy(needs="action"),
    partial(conditions.apply_condition, harm.LASTING, is_only_one=True),
    acts={"attack": actions.DeclaredTechnique(AttackArgs, attack)},
)


ENDS = ("turn", "round", "fight", "rest")
RESTS = {
    "breath": rests.RestRules(ends=ENDS, sets={"hp": rests.FULL}),
    "week": rests.RestRules(ends=ENDS, sets=dict.fromkeys(("hp", *ABILITIES), rests.FULL)),
}


class RestArgs(Struct, frozen=True):
    """`rest breath`, `rest week with bea`."""

    kind: Annotated[str, arguments.choice_arg("a rest", tuple(RESTS))]
    besides: Annotated[list[Combatant], rests.BESIDES] = []


def _rest(ctx: Context, args: RestArgs) -> None:
    rests.require_no_fight(ctx)
    for combatant in rests.taking_part(ctx, args.besides):
        rests.apply_rest(ctx, combatant.id, RESTS[args.kind], "rested")
    ctx.text = f"The party rests for a {args.kind}"


REST = declare_command("rest", "brings HP back, or all", RestArgs, _rest)
