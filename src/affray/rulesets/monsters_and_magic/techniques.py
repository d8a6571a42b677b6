"""Every technique as a command, and readied actions: paid now, carried out with the reaction when
the trigger comes.

Reactions follow `react`. A readied action has its terms when it is paid: the spell with its AP, the
ally to aid, the fatigue in place of AP. The effect keeps them (`mechanics.actions`): its amount is
the AP paid, its modifiers have the bond, and its type is the spell, the item, the power, the id of
the aided ally, or `fatigue` for a Disengage with fatigue in place of AP.

Monsters & Magic, Basic Techniques, Reactions, Ready an Action.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.effects import effect_row, why_cannot
from affray.core.engine.events import CostPaid
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.formatting.media import IN_WRITING, WRITTEN, Notation
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, NoArgs, ParseState, declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import ANY_MORE, Field, group
from affray.core.parser.targets import resolve
from affray.core.rules.ruleset import AvailableAction, Command, Context
from affray.core.rules.tables import Tables
from affray.mechanics import actions as shared_actions, powers, techniques
from affray.mechanics.actions import (
    ActionEconomy,
    ActorSituation,
    Cost,
    DeclaredTechnique,
    PayFunction,
)
from affray.mechanics.techniques import (
    ReadiedAction,
    ReadyRules,
    TechniqueRunner,
    TechniqueUse,
    use_technique,
)
from affray.rulesets.monsters_and_magic import (
    actions,
    attacks,
    bonds,
    conditions,
    loadout,
    movement,
    stats,
)
from affray.rulesets.monsters_and_magic.sheet import POWER, Item, Power, powers_of

# -------------------------------------------------------------------------------------------------
# What can be done now and what it costs: techniques, and the powers of a monster's own.
#     add monster "Weir Ogre" hp 46 powers Undertow ap 2 uses 1 text "All sink."
#
# What a power does beside its price is said by other commands; its text stands in the log and on
# the card.
#
# Monsters & Magic, Action Points, Reactions, Basic Techniques, Mounted Combat, Threads of Fate (a
# monster's thread powered ability).


class Actions(techniques.TechniqueActions):
    """Techniques, and powers of their own."""

    def options(
        self, tables: Tables, state: Encounter, combatant: Combatant
    ) -> list[AvailableAction]:
        """Every technique for a combatant who has AP: its cost now, the next one's, and why it
        can't be used."""
        now = ActorSituation(tables, state, combatant)
        names = [name for name in tables.techniques if name != POWER]
        return [
            _economy_disengage(now)
            if name == "disengage"
            else shared_actions.available_action(ECONOMY, now, name)
            for name in (names if "ap" in combatant.tracks else ())
        ]

    def own_options(
        self,
        tables: Tables,
        state: Encounter,
        combatant: Combatant,
        how: Notation = IN_WRITING,
    ) -> list[AvailableAction]:
        """Each power of their own: its cost now, and why it can't be used."""
        now = ActorSituation(tables, state, combatant)
        return [_power_option(now, power, how) for power in powers_of(combatant)]

    weapons = staticmethod(stats.weapons_of)
    spells = staticmethod(stats.spells_of)
    items = staticmethod(loadout.usable_items)

    def row_effects(self, tables: Tables) -> list[str]:
        """All effects but those that are traces of a command of their own, or of a load."""
        traces = ("concentration", "readied", "burden", "owed")
        return [name for name, rule in tables.effects.items() if rule.kind not in traces]


def _economy_disengage(now: ActorSituation) -> AvailableAction:
    """Disengage, with fatigue in place of missing AP."""
    needed = shared_actions.cost_now(now, "disengage")["ap"]
    lacking = max(0, needed - now.who.track("ap"))
    cost = {"ap": needed - lacking}
    marks = {"fatigue": lacking} if lacking else {}
    after = shared_actions.cost_next(now, "disengage", cost)
    reason = _why_not(now, "disengage", cost)
    return AvailableAction("disengage", cost | marks, after | marks if after else {}, reason)


def _why_not(now: ActorSituation, name: str, cost: Cost) -> str:
    row = now.tables.techniques[name]
    if "reaction" in cost and not row.reaction:  # as a power may be
        row = replace(row, reaction=True)
    if barred := shared_actions.why_forbidden(now, row, act="spend AP"):
        return barred
    if not now.state.in_combat:
        return "only in a fight" if name == "regroup" or row.reaction else ""
    held = now.forbids("move") if name in ("move", "mount") else ""
    is_led = "controlled" in now.in_force and name not in now.tables.economy["controlled"]
    return (
        shared_actions.why_not_their_turn(now, row)
        or shared_actions.why_used_up(now, name)
        or (held and f"{held}: can't move")
        or ("controlled: it can only move, dodge and disengage" if is_led else "")
        or shared_actions.why_unaffordable(now, cost)
    )


ECONOMY = ActionEconomy(_why_not)


# -- powers ----------------------------------------------------------------------------------------


def why_not_power(state: Encounter, combatant: Combatant, power: Power) -> str:
    """The reason why somebody can't use a power now, its cost aside."""
    used_up = powers.why_expended(combatant, power.name, power.uses, power.per)
    return used_up or ("the GM has no thread" if power.thread and state.gm("threads") < 1 else "")


def _power_option(now: ActorSituation, power: Power, how: Notation) -> AvailableAction:
    reason = (
        why_not_power(now.state, now.who, power)
        or ECONOMY.why_not(now, POWER, power.cost)
        or shared_actions.why_used_up(now, POWER, power.subject)
    )
    often = f"×{power.uses}" if how.medium == WRITTEN else f"uses {power.uses}"
    brief = " ".join([*([often] if power.uses else []), *(["thread"] * power.thread)])
    return powers.available_power(POWER, power, power.cost, reason, "", brief)


def _powers_by_name(reading: ParseState) -> dict[str, Power]:
    return {power.name: power for power in powers_of(reading.ctx.actor())}


class OwnPowerArgs(Struct, frozen=True):
    """A power in a command, by its name."""

    power: Annotated[
        Power,
        arguments.custom_name_arg("one of their powers", _powers_by_name, field=Field("own")),
    ]


class PowerArgs(OwnPowerArgs, frozen=True):
    """`power NAME [at TARGET[,TARGET] ...]`: the attack of its name on several, or their saves."""

    at: Annotated[attacks.MultiAttackArgs | None, actions.AT] = None


def use_power(ctx: Context, args: PowerArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Use a power: pay its price, count the use, and note its text; then apply the attack of its
    name to its targets."""
    power = args.power
    powers.require_usable(combatant, power.name, why_not_power(ctx.state, combatant, power))
    pay(power.cost, power.subject)
    if power.thread:
        ctx.emit(CostPaid("", "threads", 1, power.name))
    powers.count_use(ctx, combatant, power.name, power.text, power.per if power.uses else "")
    if args.at is not None:
        result = attacks.reach(
            ctx, ctx.state[combatant.id], power.name, args.at, power.name, spell=False
        )
        ctx.text = f"{combatant.name} uses {power.name}{result}"


ACTIONS = {
    "cast": DeclaredTechnique(actions.CastArgs, actions.cast),
    "concentrate": DeclaredTechnique(actions.ConcentrateArgs, actions.concentrate),
    "mount": DeclaredTechnique(movement.MountArgs, movement.mount),
    "move": DeclaredTechnique(movement.MoveArgs, movement.move),
    "retrieve": DeclaredTechnique(loadout.RetrieveArgs, loadout.retrieve),
    "strike": DeclaredTechnique(attacks.AttackArgs, actions.strike),
    "use": DeclaredTechnique(actions.UseArgs, actions.use_item),
    "aid": DeclaredTechnique(actions.AidArgs, actions.aid),
    "disengage": DeclaredTechnique(actions.DisengageArgs, actions.disengage),
    "distract": DeclaredTechnique(actions.DistractArgs, actions.distract),
    "grapple": DeclaredTechnique(actions.GrappleArgs, actions.grapple),
    "hide": DeclaredTechnique(actions.HideArgs, actions.hide),
    "help": DeclaredTechnique(actions.HelpArgs, actions.help_),
    "power": DeclaredTechnique(PowerArgs, use_power),
}
REACTIONS = {
    "opportunity-attack": DeclaredTechnique(attacks.AttackArgs, actions.opportunity_attack),
    "retaliate": DeclaredTechnique(actions.RetaliateArgs, actions.retaliate),
}


def _mark(ctx: Context, combatant_id: str, track: str, amount: int, what: str) -> None:
    """Mark a track for a technique, or clear marks if the amount is negative."""
    if amount < 0:
        conditions.clear_track(ctx, combatant_id, track, -amount, f"by {what}")
    else:
        conditions.pay(ctx, combatant_id, {track: amount}, f"for {what}")


def _again(tables: Tables, effect: str) -> tuple[str, ...]:
    return conditions.AGAIN.get(effect_row(tables, effect).kind, ())


TECHNIQUES = TechniqueRunner(
    ECONOMY,
    conditions.apply_condition,
    ACTIONS,
    REACTIONS,
    mark=_mark,
    again=_again,
    read_again=conditions.read_again,
    lasting=conditions.LASTING,
    replaces=lambda kind: kind not in conditions.AGAIN,
)


def _stand(ctx: Context, args: NoArgs) -> None:
    combatant = ctx.actor()
    up = movement.MoveArgs(movement.STAND)
    movement.move(
        ctx, up, combatant, partial(shared_actions.pay, ECONOMY, ctx, combatant.id, "move")
    )


def _dismount(ctx: Context, args: NoArgs) -> None:
    use_technique(TECHNIQUES, ctx, TechniqueUse("mount", movement.MountArgs()))


class ReactArgs(Struct, frozen=True):
    """The arguments of `react`: a reaction, and its options."""

    reaction: Annotated[TechniqueUse, techniques.reaction_arg(TECHNIQUES)]


def _react(ctx: Context, args: ReactArgs) -> None:
    use_technique(TECHNIQUES, ctx, args.reaction)


def technique_commands(tables: Tables) -> tuple[Command, ...]:
    """A command for each technique of the tables, and those that are another way to say one."""
    return (
        *techniques.technique_commands(TECHNIQUES, tables),
        declare_command("stand", "stands up with the technique move", NoArgs, _stand, True),
        declare_command("dismount", "the technique mount, to get off", NoArgs, _dismount, True),
        techniques.react_command(TECHNIQUES, "takes a reaction", ReactArgs, _react),
    )


# -- ready -----------------------------------------------------------------------------------------

FATIGUE = "fatigue"


def _spell(ctx: Context, args: actions.SpellArgs) -> ReadiedAction:
    spell = actions.spell_of(ctx, args.spell, args.ap)
    says = f"{spell.name}, {actions.price_in_words(spell.ap)}"
    return ReadiedAction(of=spell.name, subject=spell.subject, cost={"ap": spell.ap}, says=says)


def _concentration(ctx: Context, args: actions.ConcentrateArgs) -> ReadiedAction:
    return ReadiedAction(of=args.spell, subject=args.spell.casefold(), says=args.spell)


def _is_item(reading: ParseState) -> bool:
    """True if an item comes next: a text in quotes that ends the line is the trigger."""
    is_trigger = reading.words.upcoming.quoted and not reading.words.peek(1)
    return not (reading.is_over or is_trigger)


class ReadiedItemArgs(Struct, frozen=True):
    """The arguments of `ready use` before the trigger: an item, and its whole cost."""

    item: Annotated[Item | None, replace(loadout.ITEM_AT_HAND, stands=_is_item)] = None
    ap: Annotated[int | None, actions.AP] = None


def _item(ctx: Context, args: ReadiedItemArgs) -> ReadiedAction:
    cost = actions.item_cost(args.item, args.ap)
    name = args.item.name if args.item else ""
    price = actions.price_in_words(cost["ap"]) if cost else ""
    return ReadiedAction(of=name, cost=cost, says=", ".join(filter(None, (name, price))))


def _read_ap_of_aid(reading: ParseState) -> int:
    usual = reading.ctx.tables.techniques["aid"].cost["ap"]
    return reading.words.number("the AP in all", usual, usual + 1)


_AIDED = replace(
    arguments.combatant_arg("the combatant to aid", field=Field("ally")),
    stands=lambda r: not r.words.upcoming.quoted and r.words.is_combatant(),
)


class ReadiedAidArgs(Struct, frozen=True):
    """The arguments of `ready aid` before the trigger: `ap 3` pays for somebody who may be down by
    then."""

    other: Annotated[Combatant | None, _AIDED] = None
    bond: Annotated[int | None, replace(bonds.BOND, requires="other")] = None
    ap: Annotated[
        int | None, arguments.keyword_arg("ap", Argument(_read_ap_of_aid, "N", field=ANY_MORE))
    ] = None


def _aid(ctx: Context, args: ReadiedAidArgs) -> ReadiedAction:
    other, cost = args.other, None
    if other is not None:
        actions.can_aid(ctx.actor(), other)
        cost = actions.aid_cost(ctx, other)
    if args.ap is not None:
        cost = {"ap": args.ap}
    price = actions.price_in_words((cost or ctx.tables.techniques["aid"].cost)["ap"])
    if other is None:
        return ReadiedAction(cost=cost, says=price)
    bond = {"bond": args.bond} if args.bond is not None else {}
    return ReadiedAction(of=other.id, cost=cost, modifiers=bond, says=f"{other.name}, {price}")


def _disengage(ctx: Context, args: actions.DisengageArgs) -> ReadiedAction:
    if not args.fatigue:
        return ReadiedAction()
    cost = actions.disengage_cost(ctx, args.fatigue)
    return ReadiedAction(of=FATIGUE, cost=cost, says=f"{args.fatigue} fatigue")


def _power(ctx: Context, args: OwnPowerArgs) -> ReadiedAction:
    """A power of their own, which has its price. Raises Refused for a reaction."""
    combatant, power = ctx.actor(), args.power
    if power.reaction:
        raise Refused(f"{power.name} is a reaction: it waits for its trigger anyway")
    powers.require_usable(combatant, power.name, why_not_power(ctx.state, combatant, power))
    says = f"{power.name}, {actions.price_in_words(power.ap)}"
    return ReadiedAction(of=power.name, subject=power.subject, cost=power.cost, says=says)


_Terms = tuple[type[Struct], Callable[[Context, Any], ReadiedAction]]
_NO_TERMS: _Terms = (NoArgs, lambda ctx, args: ReadiedAction())
_TERMS: dict[str, _Terms] = {
    "cast": (actions.SpellArgs, _spell),
    "concentrate": (actions.ConcentrateArgs, _concentration),
    "use": (ReadiedItemArgs, _item),
    "aid": (ReadiedAidArgs, _aid),
    "disengage": (actions.DisengageArgs, _disengage),
    "power": (OwnPowerArgs, _power),
}
"""The terms of readied techniques: how to read them, and which are saved."""


_PRICED = group(
    Field("spell", only_if="cast"),
    Field("number", optional=True, before="ap", only_if="cast"),
    replace(actions.KEPT_UP, only_if="concentrate"),
    Field("number", optional=True, before="fatigue", only_if="disengage"),
    Field("number", optional=True, before="ap", only_if="aid"),
    Field("own", only_if="power"),
)
"""The fields of the prompt for terms on which the price depends."""


class ReadyArgs(Struct, frozen=True):
    """The arguments of `ready`: a technique, the terms on which its price depends, the trigger."""

    name: Annotated[
        str,
        arguments.choice_arg(
            "a technique",
            lambda r: techniques.action_techniques(r.ctx.tables),
            "TECHNIQUE",
            Field("technique"),
        ),
    ]
    terms: Annotated[
        Struct,
        arguments.variant_arg(
            lambda r: _TERMS.get(r.values["name"], _NO_TERMS)[0],
            usage="[SPELL|ITEM|POWER|NAME] [ap N | bond N | fatigue N]",
            field=_PRICED,
        ),
    ]
    trigger: Annotated[str, arguments.rest_arg('"THE TRIGGER"', techniques.WAITED_FOR)] = ""


def _terms(ctx: Context, args: ReadyArgs) -> ReadiedAction:
    _, terms_of = _TERMS.get(args.name, _NO_TERMS)
    called = ctx.tables.techniques[args.name].name
    return replace(terms_of(ctx, args.terms), name=args.name, called=called)


def _pay(ctx: Context, combatant: Combatant, terms: ReadiedAction) -> int:
    """Pay the technique's own price, with its terms; returns the AP that it took."""
    shared_actions.pay(ECONOMY, ctx, combatant.id, terms.name, terms.cost, terms.subject)
    return combatant.track("ap") - ctx.state[combatant.id].track("ap")


def _take(ctx: Context, combatant: Combatant) -> None:
    """Spend the reaction for the readied action. Raises Refused for somebody who can't react."""
    if combatant.life == "dead":
        raise Refused(f"{combatant.name} is dead")
    if combatant.track("reaction") < 1:
        raise Refused(f"{combatant.name} has used their reaction, so can't take the readied action")
    barred = why_cannot(ctx, combatant, "react")
    if barred:
        raise Refused(f"{combatant.name} can't react: {barred}")
    ctx.emit(CostPaid(combatant.id, "reaction", 1, "trigger"))


def _act(reading: ParseState, combatant: Combatant, readied: Effect) -> None:
    """Do the readied action, with the terms kept since then and those of this command.

    Raises Refused for fatigue that stands for AP paid already.
    """
    if readied.because == "disengage" and reading.words.peek() == FATIGUE:
        raise reading.words.refuse("fatigue replaces AP, so give it when you ready Disengage")
    preset = _preset(reading.ctx, combatant, readied) if readied.type else {}
    unless_said: dict[str, Any] = {}
    if readied.because == "cast":
        unless_said = {"ap": readied.amount}
    elif readied.because == "aid":
        unless_said = {"bond": readied.modifiers.get("bond")}
    payment = _paid_before(reading.ctx, combatant, readied)
    techniques.perform_readied(
        TECHNIQUES, reading, readied, payment, preset=preset, unless_said=unless_said
    )


def _preset(ctx: Context, combatant: Combatant, readied: Effect) -> dict[str, Any]:
    """The arguments of the readied action that its effect has kept."""
    match readied.because:
        case "cast" | "concentrate":
            return {"spell": readied.type}
        case "use":
            return {"item": loadout.item_at_hand(combatant, readied.type)}
        case "aid":
            return {"other": resolve(ctx.state, readied.type)}
        case "power":
            power = next((p for p in powers_of(combatant) if p.name == readied.type), None)
            if power is None:
                raise Refused(f"{readied.type} is no longer a power of {combatant.name}")
            return {"power": power}
        case "disengage":
            usual = ctx.tables.techniques["disengage"].cost["ap"]
            return {"fatigue": usual - readied.amount}
    return {}


def _paid_before(ctx: Context, combatant: Combatant, readied: Effect) -> PayFunction:
    """The payment of a readied action: none but a check that the AP paid before are enough."""

    def pay(cost: dict[str, int] | None = None, subject: str = "") -> None:
        usual = ctx.tables.techniques[readied.because].cost.get("ap", 0)
        paid = readied.amount or usual  # 0 where fatigue stood for all, and in logs of before
        needed = (cost or {}).get("ap", 0)
        if needed > paid:
            raise Refused(
                f"{combatant.name} has paid {paid} AP for the readied action; this needs {needed}"
            )

    return pay


COMMANDS = techniques.ready_commands(
    TECHNIQUES,
    ReadyRules(ReadyArgs, _terms, _pay, _take, _act),
    "pays for a technique now, to take when the trigger comes",
    "takes the readied action, using the reaction",
)
