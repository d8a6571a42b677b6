"""The basic techniques that need code, a function each, in the order of the text's table.

Each function is given its command's arguments, pays for the technique, and applies it. Techniques
that their rows describe in full need none; movement and retrieving have modules of their own. The
commands are listed in `techniques`.

Monsters & Magic, Basic Techniques, Attacking & Dealing Damage, Action Points.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine import durations
from affray.core.engine.decide import command_name
from affray.core.engine.dice_owners import is_rolled_by_player
from affray.core.engine.durations import Until
from affray.core.engine.effects import EffectSpec
from affray.core.engine.events import EffectChanged, Rolled, UseCounted
from affray.core.engine.history import earlier_entries
from affray.core.engine.state import Combatant, Duration, EffectRef
from affray.core.formatting.media import number_aloud
from affray.core.formatting.safe_text import hyphenate
from affray.core.parser import arguments, declarations
from affray.core.parser.declarations import ParseState
from affray.core.parser.errors import Refused, suggest_or_list
from affray.core.parser.prompt_fields import Field, group
from affray.core.parser.spelling import known_as
from affray.core.rules.ruleset import Context
from affray.mechanics import saves as shared_saves
from affray.mechanics.actions import PayFunction, require_other_target
from affray.mechanics.checks import die_arg
from affray.mechanics.conditions import begin_effect, replace_effect
from affray.mechanics.damage import has_lost_hp
from affray.rulesets.monsters_and_magic import (
    attacks,
    bonds,
    checks,
    conditions,
    damage,
    environment,
    loadout,
    saves,
    sheet,
)
from affray.rulesets.monsters_and_magic.attacks import AttackArgs, MultiAttackArgs
from affray.rulesets.monsters_and_magic.bonds import bond_in_words
from affray.rulesets.monsters_and_magic.checks import BENDING
from affray.rulesets.monsters_and_magic.conditions import ReapplyRule
from affray.rulesets.monsters_and_magic.sheet import Item, Save, cantrips_of


def strike(ctx: Context, assault: AttackArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Strike: an attack for damage, or 1 fatigue marked to inflict 2."""
    pay()
    outcome = _attack(ctx, combatant, assault, "strike")
    ctx.text = f"{combatant.name} strikes {assault.target.name}, {outcome}"


def _attack(ctx: Context, combatant: Combatant, assault: AttackArgs, what: str) -> str:
    """Make an attack, and give how it came out in words: `strong 8 slashing`."""
    return attacks.format_called_outcome(assault, attacks.attack(ctx, combatant, assault, what))


AP = arguments.keyword_arg("ap", arguments.number_arg("the AP in all", 1, sheet.MOST_AP))
"""The argument for a whole cost."""
_FOR = arguments.combatant_arg("the combatants it is for", field=Field("ally"))


class UseArgs(Struct, frozen=True):
    """The arguments of `use`: an item, its target or receiver, and its whole cost."""

    item: Annotated[Item | None, loadout.ITEM_AT_HAND] = None
    on: Annotated[
        Combatant | None, arguments.keyword_arg("on", _FOR, field=Field("ally", before="on"))
    ] = None
    to: Annotated[Combatant | None, arguments.keyword_arg("to", _FOR)] = None
    ap: Annotated[int | None, AP] = None


def use_item(ctx: Context, args: UseArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Use Item: `ap N` is the price in all of an item that has one; `to NAME` hands it over."""
    item = args.item
    if args.on is not None and args.to is not None:
        raise Refused("use an item `on` somebody or hand it `to` somebody, not both")
    pay(item_cost(item, args.ap))
    is_kept = item is not None and sheet.ITEMS in combatant.stats
    if item is not None and is_kept and args.to is not None:
        require_other_target(combatant, args.to, "hand a thing to")
        loadout.hand_over(ctx, combatant.id, item, args.to.id)
    elif item is not None and is_kept:
        loadout.use_up(ctx, combatant.id, item)
    does = "hands" if args.to is not None else "uses"
    whom = f" to {args.to.name}" if args.to is not None else ""
    whom = f" on {args.on.name}" if args.on is not None else whom
    ctx.text = f"{combatant.name} {does} {item.name if item is not None else 'an item'}{whom}"


def item_cost(item: Item | None, ap: int | None) -> dict[str, int] | None:
    """The whole cost of using an item, if it has a price of its own; else None."""
    own = item.ap if item is not None else 0
    return {"ap": ap or own} if ap or own else None


class AidArgs(Struct, frozen=True):
    """The arguments of `aid`: the target, and the bond's bonus if it differs from the saved one."""

    other: Annotated[
        Combatant, arguments.combatant_arg("the combatant to aid", field=Field("ally"))
    ]
    bond: Annotated[int | None, bonds.BOND] = None


def aid(ctx: Context, args: AidArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Aid: another recovers fatigue by the bond; 1 AP more for those who are down."""
    other = args.other
    bond = bonds.bond_worth(combatant, other, args.bond)
    can_aid(combatant, other)
    pay(aid_cost(ctx, other))
    damage.clear_fatigue(ctx, other.id, max(0, bond), f"aided by {combatant.name}")
    if other.life == "dying":
        damage.stabilise(ctx, other.id, f"aided by {combatant.name}")
    ctx.emit(UseCounted(other.id, "aided", "rest"))
    whose = bond_in_words(combatant, other)
    ctx.text = f"{combatant.name} aids {other.name}, {whose} {number_aloud(bond)}"


def can_aid(combatant: Combatant, other: Combatant) -> None:
    """Raises Refused for oneself, and for somebody already aided since a short rest."""
    require_other_target(combatant, other, "aid")
    if other.used("aided", "rest"):
        raise Refused(f"{other.name} has been aided since the last short rest")


def aid_cost(ctx: Context, other: Combatant) -> dict[str, int]:
    """The cost of aiding somebody: 1 AP more for who is down."""
    down = other.named("unconscious") is not None or other.life != "up"
    return {"ap": ctx.tables.techniques["aid"].cost["ap"] + (1 if down else 0)}


_MARKS = arguments.number_arg("the fatigue to mark", 0, 2, "1|2")


class DisengageArgs(Struct, frozen=True):
    """The arguments of `disengage`: the fatigue marked in place of as many AP."""

    fatigue: Annotated[
        int, arguments.keyword_arg("fatigue", _MARKS, field=Field("number", before="fatigue"))
    ] = 0


def disengage(ctx: Context, args: DisengageArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Disengage: each fatigue marked, up to 2, saves 1 AP."""
    pay(disengage_cost(ctx, args.fatigue))
    if args.fatigue:
        damage.require_fatigue(combatant)
        damage.mark_fatigue(ctx, combatant.id, args.fatigue, "to disengage")
    until = durations.present_turn(ctx.state, combatant.id)  # readied: in another's turn
    replace_effect(ctx, combatant.id, "disengaged", until)
    ctx.text = f"{combatant.name} disengages"


def disengage_cost(ctx: Context, marks: int) -> dict[str, int]:
    """The cost of Disengage with that much fatigue marked."""
    return {"ap": ctx.tables.techniques["disengage"].cost["ap"] - marks}


class DistractArgs(Struct, frozen=True, kw_only=True):
    """The arguments of `distract`.

    at     its distance in feet; None if not given
    again  how it joins a condition that is there already
    """

    target: arguments.Target
    die: Annotated[DieInput, die_arg(checks.OUTCOMES)]
    words: Annotated[
        checks.CheckModifiers,
        arguments.keyword_args(checks.CheckModifiers, "WORDS", is_asked=False),
    ]
    at: Annotated[int | None, arguments.keyword_arg("at", environment.FEET)] = None
    again: Annotated[ReapplyRule | None, conditions.again_arg("condition")] = None


def distract(ctx: Context, args: DistractArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Distract: weak sunders until one's next turn; strong gives the next attack advantage."""
    target = args.target
    environment.refuse_beyond(ctx, args.at, "close")
    require_other_target(combatant, target, "distract")
    pay()
    damage.mark_fatigue(ctx, combatant.id, 1, "to distract")
    outcome = checks.CheckRequest(
        combatant.id, "cunning", args.die, None, target.id, args.words, "distract"
    ).come_out(ctx)
    if outcome == "weak":
        end = Until("turn", "source", edge="start")
        spec = EffectSpec("sundered", until=end, source=combatant.id)
        conditions.apply_condition(ctx, target.id, spec, args.again)
    elif outcome in checks.HITS:
        until = durations.turn_edge(ctx.state, combatant.id, "start")
        replace_effect(ctx, target.id, "distracted", until, source=combatant.id)
    ctx.text = f"{combatant.name} distracts {target.name}, {outcome}"


_SAVE = die_arg(
    shared_saves.with_later(checks.OUTCOMES),
    what="the target's saving throw",
    field=Field("outcome", ("target",)),
)


def _left_to_its_player(reading: ParseState) -> DieInput | None:
    """Let a player's save wait if nobody has called it out."""
    is_players = is_rolled_by_player(reading.ctx.state, reading.values["target"])
    return DieInput(shared_saves.LATER) if is_players else None


class GrappleArgs(DistractArgs, frozen=True, kw_only=True):
    """The arguments of `grapple`: the die is that of the target's saving throw."""

    die: Annotated[DieInput, replace(_SAVE, usage="SAVE", default=_left_to_its_player)]


def grapple(ctx: Context, args: GrappleArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Grapple: the target saves with power against 10 + the grappler's POWER (a monster's CR)."""
    target, words = args.target, args.words
    environment.refuse_beyond(ctx, args.at, "touch")
    if words.dc is None:
        words = replace(words, dc=10 + sheet.ability(combatant, "power"))
    require_other_target(combatant, target, "grapple")
    pay()
    damage.mark_fatigue(ctx, combatant.id, 1, "to grapple")
    ctx.text = f"{combatant.name} grapples {target.name}"
    called = None if args.die.outcome == shared_saves.LATER else args.die
    die = shared_saves.die_of(ctx, target, combatant.id, called)
    if die is None:
        if args.again is not None or args.words != checks.CheckModifiers(dc=args.words.dc):
            shared_saves.refuse_terms(ctx, [target], [None], combatant.id)
        asked = saves.AskedSave(Save("power", words.dc or 0), holds=True)
        saves.ask(ctx, combatant.id, target, "a grapple", asked, None, words)
        return
    outcome = checks.saving_throw(ctx, target, "power", die, words, combatant.id).come_out(ctx)
    conditions.hold(ctx, combatant.id, target.id, outcome, args.again)
    ctx.text += f", who saves: {outcome}"


class HideArgs(Struct, frozen=True):
    """The arguments of `hide`."""

    die: Annotated[DieInput, die_arg(checks.OUTCOMES)]
    words: Annotated[
        checks.CheckModifiers,
        arguments.keyword_args(checks.CheckModifiers, "WORDS", is_asked=False),
    ]


def hide(ctx: Context, args: HideArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Hide: weak makes invisible until one attacks or shows oneself; strong opens for an attack."""
    pay()
    outcome = checks.CheckRequest(
        combatant.id, "cunning", args.die, modifiers=args.words, name="hide"
    ).come_out(ctx)
    if outcome in checks.HITS:
        until = Duration(says="it attacks or is seen")
        before = ctx.state[combatant.id].named("invisible")
        cover = before or begin_effect(
            ctx, combatant.id, "invisible", until, because=attacks.HIDING
        )
        if outcome != "weak":
            shown = EffectRef(combatant.id, cover.id)  # who is seen has lost the advantage as well
            replace_effect(
                ctx, combatant.id, attacks.OPENING, until, attached_to=shown, because=attacks.HIDING
            )
    ctx.text = f"{combatant.name} hides, {outcome}"


class HelpArgs(Struct, frozen=True):
    """The arguments of `help`: the target, and the bond's bonus if it differs from the saved
    one."""

    other: Annotated[
        Combatant, arguments.combatant_arg("the combatant to help", field=Field("ally"))
    ]
    bond: Annotated[int | None, bonds.BOND] = None


def help_(ctx: Context, args: HelpArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Help: another adds their bond with the helper to their next check."""
    other = args.other
    bond = bonds.bond_worth(other, combatant, args.bond)
    require_other_target(combatant, other, "help")
    pay()
    if bond:
        note = f"next check, helped by {combatant.name}"
        conditions.give_forward(ctx, other.id, {"check": bond}, note)
    whose = bond_in_words(other, combatant)
    ctx.text = f"{combatant.name} helps {other.name}, {whose} {number_aloud(bond)}"


def opportunity_attack(
    ctx: Context, assault: AttackArgs, combatant: Combatant, pay: PayFunction
) -> None:
    """Opportunity Attack: a Strike within reach, with a melee weapon or a spell."""
    target, assault = assault.target, replace(assault, in_reach=True)
    if target.named("disengaged") is not None:
        raise Refused(f"{target.name} has disengaged: leaving provokes no opportunity attack")
    pay()
    outcome = _attack(ctx, combatant, assault, "opportunity attack")
    ctx.text = f"{combatant.name} strikes {target.name} in passing, {outcome}"


class RetaliateArgs(Struct, frozen=True):
    """The arguments of `react retaliate`."""

    target: Annotated[
        Combatant, arguments.combatant_arg("the combatant who did the damage", usage="TARGET")
    ]


def retaliate(ctx: Context, args: RetaliateArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Retaliate: 1 fatigue for somebody whose weak hit did damage."""
    target = args.target
    require_other_target(combatant, target, "retaliate against")
    damage.require_fatigue(target)
    pay()
    _refuse_without_weak_hit(ctx, combatant, target)
    damage.mark_fatigue(ctx, target.id, 1, "in retaliation")
    ctx.text = f"{combatant.name} retaliates against {target.name}"


_ATTACKS = ("strike", "cast", "react", "trigger")
"""The commands that attack somebody."""


def _refuse_without_weak_hit(ctx: Context, combatant: Combatant, target: Combatant) -> None:
    """Raises Refused if `target` attacked `combatant` in this turn without a weak hit that did
    damage. Where the log has no attack, or a thread has bent one, the GM knows better.
    """
    now = ctx.state.round, ctx.state.taking_turn()
    attacked = False
    for entry in earlier_entries(ctx.previous):
        if (entry.before.round, entry.before.taking_turn()) != now:
            break
        events, given = entry.entry.events, command_name(entry.entry, ctx.ruleset)
        rolls = [e for e in events if isinstance(e, Rolled) and e.who == target.id]
        rolled = next((e.outcome for e in reversed(rolls) if e.against == combatant.id), "")
        if rolled and (
            given in BENDING or (rolled == "weak" and has_lost_hp(events, combatant.id))
        ):
            return
        attacked = attacked or (bool(rolled) and given in _ATTACKS)
    if attacked:
        none = f"{target.name} has dealt {combatant.name} none"
        raise Refused(f"Retaliate answers a weak hit that does damage: {none}")


# -- spells ----------------------------------------------------------------------------------------


def price_in_words(ap: int) -> str:
    """Write a price out, as a title is read aloud: `2 action points`."""
    return f"{ap} action point{'' if ap == 1 else 's'}"


class SpellCast(Struct, frozen=True):
    """A spell being cast.

    ap       its whole cost, with its charms
    is_said  True if the GM gave this price
    """

    name: str
    ap: int
    is_said: bool = False

    @property
    def subject(self) -> str:
        """The key for once a turn: the same spell with other charms is another action."""
        return f"{self.name.casefold()} at {self.ap} AP"

    def __str__(self) -> str:
        return f"{self.name} ({price_in_words(self.ap)})" if self.is_said else self.name


def _price_of(combatant: Combatant, text: str) -> int | None:
    """The cost of a spell on the sheet with the charms after its name; None for another spell.

    Raises Refused for a charm that it has not.
    """
    name, *charms = (hyphenate(part) for part in text.split(","))
    row = {hyphenate(each.name): each for each in cantrips_of(combatant)}
    cantrip = row.get(known_as(name, row))
    if cantrip is None:
        return None
    prices = {hyphenate(charm.name): charm.ap for charm in cantrip.charms}
    charms = [known_as(charm, prices) for charm in charms]
    wrong = next((charm for charm in charms if charm not in prices), None)
    if wrong is not None:
        raise Refused(f"{cantrip.name} has no charm {wrong!r}{suggest_or_list(wrong, prices)}")
    return cantrip.ap + sum(prices[charm] for charm in charms)


def spell_of(ctx: Context, name: str, ap: int | None) -> SpellCast:
    """The spell of that name, cast by the actor; one on the sheet has a price, unless the command
    gives it: `"spark, far, wide"`."""
    if ap is not None:
        return SpellCast(name, ap, is_said=True)
    usual = ctx.tables.techniques["cast"].cost["ap"]
    return SpellCast(name, _price_of(ctx.actor(), name) or usual)


_SPELL = arguments.text_arg("the spell's name", usage="SPELL", field=Field("spell"))


def _read_attack(reading: declarations.ParseState) -> MultiAttackArgs | None:
    """Read the targets of a spell, with or without `at`."""
    reading.words.take("at")
    return None if reading.words.done else declarations.read_within(MultiAttackArgs, reading)


def _is_attack(reading: declarations.ParseState) -> bool:
    reading.words.offered += ["at"] if reading.words.done else []
    return not reading.is_over


_ASKED = declarations.fields_behind("at", MultiAttackArgs, ("foe",)).parts
AT = declarations.Argument(
    _read_attack,
    f"at {declarations.arguments_usage(MultiAttackArgs)}",
    _is_attack,
    field=group(
        *(replace(each, only_if="") for each in _ASKED)
    ),  # letters are heard from the start
)
"""The argument for the targets of a spell or a power, and the outcomes."""


_AP_OF_SPELL = replace(AP, field=Field("number", before="ap"))


class SpellArgs(Struct, frozen=True):
    """A spell in a command: its name, with charms after it, and its whole cost."""

    spell: Annotated[str, _SPELL]
    ap: Annotated[int | None, _AP_OF_SPELL] = None


class CastArgs(SpellArgs, frozen=True):
    """The arguments of `cast`: a spell, and the attack that it makes on one or several, or their
    saves."""

    at: Annotated[MultiAttackArgs | None, AT] = None


def cast(ctx: Context, args: CastArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Cast a Spell: an attack with a charmed cantrip, or saves against it; `ap N` is its price in
    all."""
    spell = spell_of(ctx, args.spell, args.ap)
    pay({"ap": spell.ap}, spell.subject)
    result = ""
    if args.at is not None:
        result = attacks.reach(
            ctx, ctx.state[combatant.id], spell.name, args.at, "cast", spell=True
        )
    ctx.text = f"{combatant.name} casts {spell}{result}"


KEPT_UP = Field("spell", ("concentrating",))
"""The field for a spell to concentrate on: mostly the one that is concentrated on already."""


class ConcentrateArgs(Struct, frozen=True):
    """The arguments of `concentrate`."""

    spell: Annotated[str, replace(_SPELL, field=KEPT_UP)]


def concentrate(
    ctx: Context, args: ConcentrateArgs, combatant: Combatant, pay: PayFunction
) -> None:
    """Concentrate on a Spell: again in the same turn only for another spell."""
    spell = args.spell
    pay(None, spell.casefold())
    until = durations.turn_edge(ctx.state, combatant.id, "end")
    effect = conditions.concentrated_on(combatant).get(spell.casefold())
    if effect is not None:
        ctx.emit(EffectChanged(combatant.id, replace(effect, until=until), "maintained"))
    else:
        begin_effect(
            ctx, combatant.id, "concentrating", until,
            source=combatant.id, note=spell, breaks=("unconscious",),
        )  # fmt: skip
    ctx.text = f"{combatant.name} concentrates on {spell}"
