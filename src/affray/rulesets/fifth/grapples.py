"""5e: grapples and shoves, by an action or as an opportunity attack, and the way out of them.

SRD 5.2.1, Opportunity Attacks, Unarmed Strike; SRD 5.1, Grappling.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.dice_owners import is_rolled_by_player
from affray.core.engine.effects import remove_effect
from affray.core.engine.state import Combatant, Effect
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import ASKED_ELSEWHERE
from affray.core.rules.ruleset import Context
from affray.mechanics import checks as shared_checks, saves
from affray.mechanics.actions import PayFunction, require_other_target
from affray.mechanics.powers import Inflicts, SheetCondition
from affray.rulesets.fifth import attacks, checks, surroundings
from affray.rulesets.fifth.checks import CheckRequest, RollModifiers
from affray.rulesets.fifth.sheet import Save, is_2014
from affray.rulesets.srd import attacks as srd_attacks, conditions as srd_conditions
from affray.rulesets.srd.action_economy import ESCAPED, GRAPPLE, escapable
from affray.rulesets.srd.checks import (
    ATTACK_OUTCOMES,
    COVER,
    FAILURE,
    OUTCOME,
    OUTCOMES,
    SUCCESS,
)
from affray.rulesets.srd.conditions import apply_condition
from affray.rulesets.srd.sheet import proficiencies_of

# -- grapple and shove -----------------------------------------------------------------------------

_ABILITY = arguments.anywhere_choice_arg("str", "dex")
_ABILITIES = {"athletics": "str", "acrobatics": "dex"}
_SHOVES = ("prone", "push")
_CONTEST = arguments.anywhere_choice_arg(*_ABILITIES)
_LATER = DieInput(saves.LATER)
"""The die of a save that wasn't given: a player's waits."""
_TARGETS_DIE = replace(
    shared_checks.die_arg(saves.with_later(OUTCOMES)), default=lambda reading: _LATER
)


class Versus(Struct, frozen=True):
    """The other side of a contest (2014): its die, and the skill, empty for the usual one."""

    die: DieInput
    skill: str


def _read_vs(reading: ParseState) -> Versus:
    reading.words.choice("the other's roll, by the rules of 2014", ("vs",))
    skill = reading.words.take(*_ABILITIES)
    return Versus(shared_checks.parse_die(reading.words, OUTCOMES), skill)


def _says_vs(reading: ParseState) -> bool:
    tokens = reading.words
    if tokens.done and is_2014(reading.ctx.state):
        tokens.offered.append("vs")
    return tokens.peek() == "vs"


def _needs_vs(reading: ParseState) -> bool:
    """True if the other's roll comes next, or has to: in 2014, unless the command has the winner,
    or the other's player has yet to roll."""
    state, values = reading.ctx.state, reading.values
    waits = values["die"].outcome or is_rolled_by_player(state, values["target"])
    return _says_vs(reading) or (is_2014(state) and not waits)


_VS = Argument(_read_vs, "vs [athletics|acrobatics] OUTCOME", _says_vs, field=ASKED_ELSEWHERE)
_NEEDED_VS = replace(_VS, stands=_needs_vs)


class GrappleArgs(Struct, frozen=True):
    """`grapple TARGET [str|dex] [OUTCOME]`: the outcome is that of the target's save; by the rules
    of 2014 the actor's check, and the target's behind `vs`."""

    target: Annotated[
        Combatant, arguments.combatant_arg("the target of the grapple", usage="TARGET")
    ]
    die: Annotated[DieInput, _TARGETS_DIE]
    terms: checks.CoverModifiers
    ability: Annotated[str, _ABILITY] = ""
    versus: Annotated[Versus | None, _NEEDED_VS] = None


class ShoveArgs(Struct, frozen=True):
    target: Annotated[Combatant, arguments.combatant_arg("the target of the shove", usage="TARGET")]
    what: Annotated[str, arguments.choice_arg("the shove's effect", _SHOVES)]
    die: Annotated[DieInput, _TARGETS_DIE]
    terms: checks.CoverModifiers
    ability: Annotated[str, _ABILITY] = ""
    versus: Annotated[Versus | None, _NEEDED_VS] = None


def _title(combatant: Combatant, verb: str, target: Combatant, works: bool | None) -> str:
    """The title of a grapple or a shove, which works, was in vain, or waits for a player's
    roll."""
    does = f"tries to {verb}" if works is None else f"{verb}s"
    in_vain = ", without success" if works is False else ""
    return f"{combatant.name} {does} {target.name}{in_vain}"


def _yields(
    ctx: Context, args: GrappleArgs | ShoveArgs, combatant: Combatant, of: str, brings: Inflicts
) -> bool | None:
    """True if the target of a grapple or a shove, `of` that name, gives way; None if its
    player's save or check waits, which `brings` what it brings."""
    target = args.target
    if args.die == _LATER and is_2014(ctx.state):
        args = replace(args, die=DieInput())
    if is_2014(ctx.state):
        skills = {ability: skill for skill, ability in _ABILITIES.items()}
        usual = skills.get(args.ability) or better_skill(target)
        one = CheckRequest(
            combatant.id, die=args.die, against=target.id, modifiers=args.terms, skill="athletics"
        )
        return _wins(ctx, one, target, args.versus, usual, of, brings)
    _require_no_contest(args.versus)
    better = "str" if _save_bonus(target, "str") >= _save_bonus(target, "dex") else "dex"
    ability, dc = args.ability or better, attacks.grapple_dc(combatant)
    die = saves.die_of(ctx, target, combatant.id, None if args.die == _LATER else args.die)
    if die is None:
        if args.terms != checks.CoverModifiers():
            saves.refuse_terms(ctx, [target], [None], combatant.id)
        save = Save(ability, dc=dc, inflicts=brings)
        srd_conditions.ask_save(ctx, combatant.id, target.id, of, save)
        return None
    check = CheckRequest(target.id, ability, die, dc, combatant.id, args.terms, save=True)
    return check.make(ctx).outcome == FAILURE


def _save_bonus(combatant: Combatant, ability: str) -> int:
    return combatant.number(ability) + proficiencies_of(combatant, "saves").get(ability, 0)


def _wins(
    ctx: Context,
    check: CheckRequest,
    other: Combatant,
    versus: Versus | None,
    usual: str,
    of: str,
    brings: Inflicts = (),
) -> bool | None:
    """True if a contest of 2014 is won: the higher total; a tie changes nothing. The other takes
    the skill that is said, else the `usual` one. None where the other's player is still to roll,
    against something `of` that name, which `brings` what it brings."""
    if check.die.outcome:
        return check.die.outcome == SUCCESS
    die = saves.die_of(ctx, other, check.who, versus.die if versus is not None else None)
    mine = replace(check, stat=_ABILITIES[check.skill]).make(ctx)
    if die is None:
        dc = mine.total or 0
        save = Save(_ABILITIES[usual], dc=dc, inflicts=brings, skill=usual)
        srd_conditions.ask_save(ctx, check.who, other.id, of, save)
        return None
    if die.outcome:
        return die.outcome == FAILURE
    skill = versus.skill if versus is not None and versus.skill else usual
    reply = CheckRequest(other.id, _ABILITIES[skill], die, against=check.who, skill=skill)
    return (mine.total or 0) > (reply.make(ctx).total or 0)


def _require_no_contest(versus: Versus | None) -> None:
    """Raises Refused for the other side's roll by the rules of 2024, which know no contests."""
    if versus is not None:
        raise Refused("`vs` is only for contests by the rules of 2014; here it is one roll")


def grapple(ctx: Context, args: GrappleArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Grapple somebody, who saves against it."""
    attacks.require_size(combatant, args.target, "grapple")
    GRAPPLE.require_new(combatant, args.target)
    pay()
    brings = (SheetCondition("grappled", attacks.grappling(ctx.state, combatant).amount),)
    held = _yields(ctx, args, combatant, attacks.A_GRAPPLE, brings)
    if held:
        apply_condition(ctx, args.target.id, attacks.grappling(ctx.state, combatant))
    ctx.text = _title(combatant, "grapple", args.target, held)


def shove(ctx: Context, args: ShoveArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Shove somebody prone, or 5 feet away."""
    attacks.require_size(combatant, args.target, "shove")
    pay()
    is_push = args.what == "push"
    of, brings = (attacks.A_PUSH, ()) if is_push else (attacks.A_SHOVE, (attacks.PRONE.name,))
    gives = _yields(ctx, args, combatant, of, brings)
    if gives and is_push:
        attacks.push(ctx, args.target.id)
    elif gives:
        apply_condition(ctx, args.target.id, attacks.PRONE)
    ctx.text = _title(combatant, "shove", args.target, gives)


# -- opportunity attacks ---------------------------------------------------------------------------

_STRIKES_DIE = shared_checks.die_arg(ATTACK_OUTCOMES, may_lack=shared_checks.is_rolled_for)


def _opportunity_die(reading: ParseState) -> Argument:
    return _TARGETS_DIE if reading.values.get("instead") else _STRIKES_DIE


SEIZES = ("grapple", "shove")


class OpportunityArgs(attacks.AttackArgs, frozen=True):
    """An attack; an unarmed strike may have `grapple [str|dex] [OUTCOME]` or `shove prone|push ...`
    in place of the roll."""

    die: Annotated[
        DieInput,
        replace(
            _STRIKES_DIE,
            read=lambda r: _opportunity_die(r).read(r),
            stands=lambda r: _opportunity_die(r).stands(r),
            default=lambda r: (_opportunity_die(r).default or _nothing)(r),
        ),
    ]
    instead: Annotated[str, arguments.anywhere_choice_arg(*SEIZES)] = ""
    brings: Annotated[
        str,
        replace(
            arguments.anywhere_choice_arg(*_SHOVES),
            offered=lambda r: r.values.get("instead") == "shove",
        ),
    ] = ""
    ability: Annotated[str, replace(_ABILITY, offered=lambda r: bool(r.values.get("instead")))] = ""


def _nothing(reading: ParseState) -> None:
    return None


def opportunity(
    ctx: Context, args: OpportunityArgs, combatant: Combatant, pay: PayFunction
) -> None:
    """A melee attack by the reaction; an unarmed strike may be a grapple or a shove."""
    does, words = args.instead, args.words
    if (args.brings and does != "shove") or (args.ability and not does):
        raise Refused(f"`{args.brings or args.ability}` is only for a grapple or a shove")
    if not does:
        srd_attacks.opportunity(ctx, args, combatant, pay)
        return
    if is_2014(ctx.state):
        raise Refused("by the rules of 2014 an opportunity attack is only a melee attack")
    if words.weapon is not None and words.weapon.name != "unarmed":
        raise Refused(f"only an unarmed strike can {does}, not {words.weapon.name}")
    if args.amount_rolled != "":
        raise Refused(f"a {does} deals no damage")
    require_other_target(combatant, args.target, does)
    srd_attacks.require_provoked(ctx, args, combatant)
    cover = words.cover if words.cover in COVER else ""
    terms = checks.RollModifiersWithCover(
        adv=words.adv, dis=words.dis, plus=words.plus, cover=cover
    )
    own = attacks.AttackModifiers(
        adv=words.adv, dis=words.dis, plus=words.plus, cover=cover, weapon=words.weapon
    )
    if words != own:
        raise Refused(f"the save against a {does} takes only adv, dis, plus and cover")
    if does == "grapple":
        grapple(ctx, GrappleArgs(args.target, args.die, terms, args.ability), combatant, pay)
    elif args.brings:
        shoved = ShoveArgs(args.target, args.brings, args.die, terms, args.ability)
        shove(ctx, shoved, combatant, pay)
    else:
        raise Refused(f"expected the shove's effect: {join_or(_SHOVES)}", _SHOVES)
    ctx.text += ", as an opportunity attack"


# -- escape ----------------------------------------------------------------------------------------


class EscapeArgs(Struct, frozen=True):
    condition: Annotated[str, ESCAPED] = ""
    die: Annotated[DieInput | None, OUTCOME] = None
    terms: checks.Modifiers = RollModifiers()
    skill: Annotated[str, _CONTEST] = ""
    dc: Annotated[int | None, shared_checks.SAID_DC] = None
    versus: Annotated[Versus | None, _VS] = None


def escape(ctx: Context, args: EscapeArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Out of a grapple, fire, or another condition with a DC."""
    fits = [e for e in _escapable(ctx, combatant) if args.condition in ("", e.name)]
    if not fits:
        what = f"isn't {args.condition}" if args.condition else "has nothing to escape from"
        raise Refused(f"{combatant.name} {what}")
    if len({e.name for e in fits}) > 1:
        named = join_or([e.name for e in fits], "and")
        raise Refused(f"{combatant.name} is {named}: say which to escape from")
    effect = fits[0]
    if effect.name == surroundings.BURNING:
        pay()
        remove_effect(ctx, combatant.id, effect.id, "put out")
        apply_condition(ctx, combatant.id, attacks.PRONE)
        ctx.text = f"{combatant.name} puts out the fire"
        return
    dc = args.dc or effect.amount or None
    source, old = ctx.state.find(effect.source), is_2014(ctx.state)
    is_contest = old and source is not None and (args.versus is not None or dc is None)
    if not is_contest:
        _require_no_contest(args.versus)
    if args.die is None or not (is_contest or dc is not None or args.die.outcome):
        more = "" if is_contest else ", with its `dc N`"
        raise Refused(f"say how it came out to be no longer {effect.name}{more}")
    pay()
    skill = args.skill or better_skill(combatant)
    check = CheckRequest(
        combatant.id,
        _ABILITIES[skill],
        args.die,
        dc,
        modifiers=args.terms,
        skill=skill,
    )
    if source is not None and is_contest and not args.die.outcome:
        contest = replace(check, dc=None, against=source.id)
        won = _wins(ctx, contest, source, args.versus, "athletics", attacks.AN_ESCAPE)
        if won is None:
            ctx.text = f"{combatant.name} tries to be no longer {effect.name}"
            return
        outcome = SUCCESS if won else FAILURE
    else:
        outcome = check.make(ctx).outcome
    if outcome == SUCCESS:
        remove_effect(ctx, combatant.id, effect.id, "escaped")
    ctx.text = f"{combatant.name} {'is no longer' if outcome == SUCCESS else 'stays'} {effect.name}"


def _escapable(ctx: Context, combatant: Combatant) -> list[Effect]:
    own = escapable(ctx.tables, combatant)
    own_ids = {effect.id for effect in own}
    more = [
        e for e in combatant.effects if e.kind == "condition" and e.amount and e.id not in own_ids
    ]
    return [*own, *more]


def better_skill(combatant: Combatant) -> str:
    """Athletics or acrobatics, whichever is better for somebody."""
    trained = proficiencies_of(combatant, "skills")
    return max(_ABILITIES, key=lambda s: combatant.number(_ABILITIES[s]) + trained.get(s, 0))
