"""5e: the actions of a turn, readied actions and reactions, and all techniques' commands.

Rules file, 3, 6, 7 and 14.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine import durations
from affray.core.engine.effects import end_effects_named, remove_effect
from affray.core.engine.events import NoteAdded, TrackChanged
from affray.core.engine.evolve import clamp_event
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.parser import arguments
from affray.core.parser.declarations import (
    Argument,
    NoArgs,
    ParseState,
    parse_arguments,
    read_within,
)
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import ASKED_ELSEWHERE, Field
from affray.core.rules.ruleset import AvailableAction, Command, Context
from affray.core.rules.tables import Tables
from affray.mechanics import actions, checks as shared_checks, holds, techniques
from affray.mechanics.actions import DeclaredTechnique, PayFunction, require_other_target
from affray.mechanics.conditions import begin_effect, replace_effect
from affray.mechanics.dying import UNCONSCIOUS
from affray.mechanics.sheet import SIZES, size_difference, size_of, stat_words
from affray.mechanics.techniques import (
    ReadiedAction,
    ReadyRules,
    TechniqueRunner,
    TechniqueUse,
)
from affray.rulesets.fifth import (
    action_economy,
    attacks,
    checks,
    conditions,
    dying,
    lairs,
    sheet,
    spells,
    surroundings,
)
from affray.rulesets.fifth.checks import CheckRequest, RollModifiers
from affray.rulesets.fifth.rules import RULES
from affray.rulesets.fifth.sheet import SKILLS, is_2014
from affray.rulesets.srd import actions as srd_actions, attacks as srd_attacks
from affray.rulesets.srd.action_economy import GRAPPLE, READY, escapable
from affray.rulesets.srd.attacks import HIDDEN
from affray.rulesets.srd.checks import (
    ATTACK_OUTCOMES,
    COVER,
    FAILURE,
    OUTCOME,
    OUTCOMES,
    SUCCESS,
)
from affray.rulesets.srd.conditions import apply_condition
from affray.rulesets.srd.dying import stabilise
from affray.rulesets.srd.sheet import next_turn, proficiencies_of

_DC = Annotated[int | None, replace(shared_checks.DC, field=None)]

# -- help ------------------------------------------------------------------------------------------

_ALLY = arguments.combatant_arg("the ally", usage="ALLY", field=Field("ally", optional=True))
_ENEMY = arguments.combatant_arg("the enemy", usage="TARGET")
_SKILL = arguments.choice_arg("a skill", SKILLS, "SKILL")


class HelpArgs(Struct, frozen=True):
    """`help ALLY [with SKILL]`, `help [ALLY] against TARGET`."""

    ally: Annotated[Combatant | None, _ALLY] = None
    against: Annotated[
        Combatant | None,
        arguments.keyword_arg("against", _ENEMY, field=Field("target", before="against")),
    ] = None
    skill: Annotated[
        str, arguments.keyword_arg("with", _SKILL, field=Field("text", ("skill",), before="with"))
    ] = ""


def help_somebody(ctx: Context, args: HelpArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Advantage on an ally's next check, or on the next attack on an enemy (3.6, 3.7, 18.3)."""
    ally, enemy = args.ally, args.against
    if enemy is None and ally is None:
        raise Refused("say who is helped, or against whom: `help ALLY`, `help against TARGET`")
    if ally is not None:
        require_other_target(combatant, ally, "help")
    until = next_turn(ctx.state, combatant.id, "start")
    if enemy is not None:
        require_other_target(combatant, enemy, "help against")
        pay()
        note = ally.id if ally is not None else ""
        replace_effect(
            ctx, enemy.id, attacks.DISTRACTED, until, by_source=True, source=combatant.id, note=note
        )
        whom = f"{ally.name} " if ally is not None else ""
        ctx.text = f"{combatant.name} helps {whom}against {enemy.name}"
        return
    assert ally is not None
    proficient = (*proficiencies_of(combatant, "skills"), *stat_words(combatant, "expertise"))
    if args.skill and args.skill not in proficient and not is_2014(ctx.state):
        raise Refused(f"{combatant.name} isn't proficient in {args.skill}")
    pay()
    alone = (args.skill,) if args.skill else ()
    replace_effect(
        ctx,
        ally.id,
        attacks.HELPED,
        until,
        by_source=True,
        source=combatant.id,
        note=args.skill,
        only_with=alone,
    )
    ctx.text = f"{combatant.name} helps {ally.name}{f' with {args.skill}' if args.skill else ''}"


# -- hide, search, study, influence ----------------------------------------------------------------


_OBSERVERS = arguments.keyword_arg("from", arguments.combatants_arg("who could notice it"))


class HideArgs(Struct, frozen=True):
    die: Annotated[DieInput, OUTCOME]
    terms: checks.Modifiers
    observers: Annotated[list[Combatant] | None, _OBSERVERS] = None


def hide(ctx: Context, args: HideArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Dexterity (Stealth), DC 15; by the rules of 2014 against passive Perception (14.1, 18.12)."""
    pay()
    others = (c for c in ctx.state.combatants if c.side != combatant.side)
    awake = [c for c in others if c.life == "up" and c.named(UNCONSCIOUS) is None]
    observers = awake if args.observers is None else args.observers
    dc = int(ctx.tables.economy["hide"])
    if is_2014(ctx.state):
        dc = max((checks.passive_perception(c) for c in observers), default=0)
    check = CheckRequest(
        combatant.id, "dex", args.die, dc, modifiers=args.terms, skill="stealth", hides=True
    )
    rolled = check.make(ctx)
    if rolled.outcome == SUCCESS:
        total = dc if rolled.total is None else rolled.total
        replace_effect(ctx, combatant.id, HIDDEN, amount=total)
        keen = [c.name for c in observers if checks.passive_perception(c) >= total]
        if keen and not is_2014(ctx.state):
            ctx.emit(NoteAdded(f"passive Perception reaches {total}: {join_or(keen, 'and')}"))
    ctx.text = f"{combatant.name} hides{' in vain' if rolled.outcome == FAILURE else ''}"


_SEARCHES = ("insight", "medicine", "perception", "survival")
_STUDIES = ("arcana", "history", "investigation", "nature", "religion")
_INFLUENCES = {
    "deception": "cha", "intimidation": "cha", "performance": "cha", "persuasion": "cha",
    "animal-handling": "wis",
}  # fmt: skip
_FOR = arguments.keyword_arg("for", arguments.combatant_arg("who is looked for"))


class SearchArgs(Struct, frozen=True):
    skill: Annotated[str, arguments.choice_arg("the skill", (*_SEARCHES, "investigation"))]
    die: Annotated[DieInput, OUTCOME]
    terms: checks.Modifiers
    dc: _DC = None
    whom: Annotated[Combatant | None, _FOR] = None


def search(ctx: Context, args: SearchArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Wisdom with a skill; somebody hidden is found by their total (3.12, 14.2, 18.2)."""
    old = is_2014(ctx.state)
    allowed = ("perception", "investigation") if old else _SEARCHES
    if args.skill not in allowed:
        raise Refused(f"search goes by {join_or(allowed)}", allowed)
    hidden = args.whom.named(HIDDEN) if args.whom is not None else None
    if args.whom is not None and hidden is None:
        raise Refused(f"{args.whom.name} isn't hidden")
    pay()
    dc = hidden.amount if hidden is not None else args.dc
    ability = "int" if args.skill == "investigation" else "wis"
    check = CheckRequest(
        combatant.id,
        ability,
        args.die,
        dc,
        modifiers=args.terms,
        skill=args.skill,
        tags=(args.skill,),
    )
    outcome = check.make(ctx).outcome
    if args.whom is not None and outcome == SUCCESS:
        attacks.leave_hiding(ctx, args.whom.id, "found")
    whom = f" for {args.whom.name}" if args.whom is not None else ""
    ctx.text = f"{combatant.name} searches{whom} ({args.skill}){_came_out(outcome)}"


def _came_out(outcome: str) -> str:
    return f", {outcome}" if outcome else ""


class StudyArgs(Struct, frozen=True):
    skill: Annotated[str, arguments.choice_arg("the skill", _STUDIES)]
    die: Annotated[DieInput, OUTCOME]
    terms: checks.Modifiers
    dc: _DC = None


def study(ctx: Context, args: StudyArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Intelligence with a skill (3.13)."""
    pay()
    check = CheckRequest(
        combatant.id,
        "int",
        args.die,
        args.dc,
        modifiers=args.terms,
        skill=args.skill,
        tags=(args.skill,),
    )
    ctx.text = f"{combatant.name} studies ({args.skill}){_came_out(check.make(ctx).outcome)}"


class InfluenceArgs(Struct, frozen=True):
    target: Annotated[Combatant, arguments.combatant_arg("who is influenced", usage="TARGET")]
    skill: Annotated[str, arguments.choice_arg("the skill", tuple(_INFLUENCES))]
    die: Annotated[DieInput, OUTCOME]
    terms: checks.Modifiers
    dc: _DC = None
    attitude: Annotated[str, arguments.anywhere_choice_arg("friendly", "hostile")] = ""


def influence(ctx: Context, args: InfluenceArgs, combatant: Combatant, pay: PayFunction) -> None:
    """A check to bring somebody round, DC 15 unless another is said (3.10, R7)."""
    require_other_target(combatant, args.target, "influence")
    pay()
    charmed = any(e.source == combatant.id for e in args.target.all_named("charmed"))
    pro = (
        *(["friendly"] if args.attitude == "friendly" else []),
        *(["charmed"] if charmed else []),
    )
    con = ("hostile",) if args.attitude == "hostile" else ()
    dc = args.dc or int(ctx.tables.economy["influence"])
    check = CheckRequest(
        combatant.id,
        _INFLUENCES[args.skill],
        args.die,
        dc,
        args.target.id,
        args.terms,
        skill=args.skill,
        tags=(args.skill,),
        pro=pro,
        con=con,
    )
    outcome = check.make(ctx).outcome
    ctx.text = f"{combatant.name} influences {args.target.name}{_came_out(outcome)}"


# -- first aid -------------------------------------------------------------------------------------


class FirstAidArgs(Struct, frozen=True):
    other: Annotated[Combatant, arguments.combatant_arg("who is treated", field=Field("ally"))]
    die: Annotated[DieInput, OUTCOME]
    terms: checks.Modifiers


def first_aid(ctx: Context, args: FirstAidArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Wisdom (Medicine), DC 10: the dying are stable, the knocked out awake (9.11, 9.14)."""
    other = args.other
    require_other_target(combatant, other, "treat")
    if other.life not in ("dying", "unconscious"):
        raise Refused(f"{other.name} is neither dying nor knocked out")
    if other.named("suffocating") is not None and is_2014(ctx.state):
        raise Refused(f"{other.name} is suffocating, and can't be stabilised")
    pay()
    dc = int(ctx.tables.economy["first_aid"])
    check = CheckRequest(
        combatant.id,
        "wis",
        args.die,
        dc,
        other.id,
        args.terms,
        skill="medicine",
        tags=("medicine",),
    )
    ctx.text = f"{combatant.name} treats {other.name} in vain"
    if check.make(ctx).outcome != SUCCESS:
        return
    if other.life == "dying":
        stabilise(ctx, other.id, f"first aid by {combatant.name}")
        ctx.text = f"{combatant.name} stabilises {other.name}"
    else:
        dying.wake(ctx, other.id, f"first aid by {combatant.name}")
        ctx.text = f"{combatant.name} wakes {other.name}"


# -- grapple and shove -----------------------------------------------------------------------------

_ABILITY = arguments.anywhere_choice_arg("str", "dex")
_ABILITIES = {"athletics": "str", "acrobatics": "dex"}
_SHOVES = ("prone", "push")
_CONTEST = arguments.anywhere_choice_arg(*_ABILITIES)
_TARGETS_DIE = shared_checks.die_arg(OUTCOMES, may_lack=lambda reading: True)


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
    """True if the other's roll stands next, or has to: in 2014, unless it is called who wins."""
    is_called = bool(reading.values["die"].outcome)
    return _says_vs(reading) or (is_2014(reading.ctx.state) and not is_called)


_VS = Argument(_read_vs, "vs [athletics|acrobatics] OUTCOME", _says_vs, field=ASKED_ELSEWHERE)
_NEEDED_VS = replace(_VS, stands=_needs_vs)


class GrappleArgs(Struct, frozen=True):
    """`grapple TARGET [str|dex] [OUTCOME]`: the outcome is that of the target's save; by the rules
    of 2014 the actor's check, and the target's behind `vs`."""

    target: Annotated[Combatant, arguments.combatant_arg("who is grappled", usage="TARGET")]
    die: Annotated[DieInput, _TARGETS_DIE]
    terms: checks.CoverModifiers
    ability: Annotated[str, _ABILITY] = ""
    versus: Annotated[Versus | None, _NEEDED_VS] = None


class ShoveArgs(Struct, frozen=True):
    target: Annotated[Combatant, arguments.combatant_arg("who is shoved", usage="TARGET")]
    what: Annotated[str, arguments.choice_arg("what it brings", _SHOVES)]
    die: Annotated[DieInput, _TARGETS_DIE]
    terms: checks.CoverModifiers
    ability: Annotated[str, _ABILITY] = ""
    versus: Annotated[Versus | None, _NEEDED_VS] = None


def _yields(ctx: Context, args: GrappleArgs | ShoveArgs, combatant: Combatant) -> bool:
    """True if the target of a grapple or a shove gives way (6.1, 18.4)."""
    target = args.target
    if is_2014(ctx.state):
        skills = {ability: skill for skill, ability in _ABILITIES.items()}
        usual = skills.get(args.ability) or better_skill(target)
        one = CheckRequest(
            combatant.id, die=args.die, against=target.id, modifiers=args.terms, skill="athletics"
        )
        return _wins(ctx, one, target, args.versus, usual)
    _require_no_contest(args.versus)
    if target.kind == "pc" and args.die.rolled_here and not args.die.outcome:
        raise Refused(f"say how the save of {target.name} came out: success or failure")
    better = "str" if _save_bonus(target, "str") >= _save_bonus(target, "dex") else "dex"
    dc = attacks.grapple_dc(combatant)
    save = CheckRequest(
        target.id, args.ability or better, args.die, dc, combatant.id, args.terms, save=True
    )
    return save.make(ctx).outcome == FAILURE


def _save_bonus(combatant: Combatant, ability: str) -> int:
    return combatant.number(ability) + proficiencies_of(combatant, "saves").get(ability, 0)


def _wins(
    ctx: Context, check: CheckRequest, other: Combatant, versus: Versus | None, usual: str
) -> bool:
    """True if a contest of 2014 is won: the higher total; a tie changes nothing. The other takes
    the skill that is said, else the `usual` one."""
    if check.die.outcome:
        return check.die.outcome == SUCCESS
    if versus is None:
        raise Refused("by the rules of 2014 it is a contest: say the other's roll, `vs OUTCOME`")
    mine = replace(check, stat=_ABILITIES[check.skill]).make(ctx)
    if versus.die.outcome:
        return versus.die.outcome == FAILURE
    skill = versus.skill or usual
    reply = CheckRequest(other.id, _ABILITIES[skill], versus.die, against=check.who, skill=skill)
    return (mine.total or 0) > (reply.make(ctx).total or 0)


def _require_no_contest(versus: Versus | None) -> None:
    """Raises Refused for the other side's roll by the rules of 2024, which know no contests."""
    if versus is not None:
        raise Refused("`vs` is said by the rules of 2014, which hold contests; now it is one roll")


def grapple(ctx: Context, args: GrappleArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Grapple somebody, who saves against it (6.1 to 6.3)."""
    attacks.require_size(combatant, args.target, "grapple")
    pay()
    held = _yields(ctx, args, combatant)
    if held:
        apply_condition(ctx, args.target.id, attacks.grappling(ctx.state, combatant))
    ctx.text = f"{combatant.name} grapples {args.target.name}{'' if held else ' in vain'}"


def shove(ctx: Context, args: ShoveArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Shove somebody prone, or 5 feet away (6.4)."""
    attacks.require_size(combatant, args.target, "shove")
    pay()
    gives = _yields(ctx, args, combatant)
    if gives and args.what == "prone":
        apply_condition(ctx, args.target.id, attacks.PRONE)
    elif gives:
        ctx.emit(NoteAdded(f"{args.target.name} is pushed 5 feet"))
    ctx.text = f"{combatant.name} shoves {args.target.name}{'' if gives else ' in vain'}"


# -- opportunity attacks ---------------------------------------------------------------------------

_STRIKES_DIE = shared_checks.die_arg(ATTACK_OUTCOMES, may_lack=shared_checks.is_rolled_for)


def _opportunity_die(reading: ParseState) -> Argument:
    return _TARGETS_DIE if reading.values.get("instead") else _STRIKES_DIE


_SEIZES = ("grapple", "shove")


class OpportunityArgs(attacks.AttackArgs, frozen=True):
    """An attack; of an unarmed strike `grapple [str|dex] [OUTCOME]` or `shove prone|push ...` may
    stand in place of the roll (4.9)."""

    die: Annotated[
        DieInput,
        replace(
            _STRIKES_DIE,
            read=lambda r: _opportunity_die(r).read(r),
            stands=lambda r: _opportunity_die(r).stands(r),
            default=lambda r: (_opportunity_die(r).default or _nothing)(r),
        ),
    ]
    instead: Annotated[str, arguments.anywhere_choice_arg(*_SEIZES)] = ""
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
    """A melee attack by the reaction; an unarmed strike may be a grapple or a shove (4.9)."""
    does, words = args.instead, args.words
    if (args.brings and does != "shove") or (args.ability and not does):
        raise Refused(f"`{args.brings or args.ability}` is said of a grapple or a shove")
    if not does:
        srd_attacks.opportunity(ctx, args, combatant, pay)
        return
    if is_2014(ctx.state):
        raise Refused("by the rules of 2014 an opportunity attack is a melee attack, nothing else")
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
        raise Refused(f"of the save against a {does} only adv, dis, plus and cover can be said")
    if does == "grapple":
        grapple(ctx, GrappleArgs(args.target, args.die, terms, args.ability), combatant, pay)
    elif args.brings:
        shoved = ShoveArgs(args.target, args.brings, args.die, terms, args.ability)
        shove(ctx, shoved, combatant, pay)
    else:
        raise Refused(f"expected what the shove brings: {join_or(_SHOVES)}", _SHOVES)
    ctx.text += ", as an opportunity attack"


def _read_reaction(reading: ParseState) -> TechniqueUse | str:
    """A reaction; `grapple` and `shove` are opportunity attacks."""
    if does := reading.words.take(*_SEIZES):
        args = read_within(OpportunityArgs, reading, instead=does)
        return TechniqueUse("opportunity-attack", args)
    found: TechniqueUse | str = srd_actions.react_arg(TECHNIQUES).read(reading)
    return found


# -- escape ----------------------------------------------------------------------------------------


def _is_named(reading: ParseState) -> bool:
    tokens = reading.words
    if tokens.done:
        combatant = reading.ctx.actor()
        tokens.offered += [e.name for e in escapable(reading.ctx.tables, combatant)]
    return not (reading.is_over or shared_checks.is_die_input(tokens, OUTCOMES))


_OUT_OF = Argument(lambda r: str(r.words.next("the condition")).casefold(), "CONDITION", _is_named)


class EscapeArgs(Struct, frozen=True):
    condition: Annotated[str, _OUT_OF] = ""
    die: Annotated[DieInput | None, OUTCOME] = None
    terms: checks.Modifiers = RollModifiers()
    skill: Annotated[str, _CONTEST] = ""
    dc: _DC = None
    versus: Annotated[Versus | None, _VS] = None


def escape(ctx: Context, args: EscapeArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Out of a grapple, fire, or another condition with a DC (3.15, 6.5, 15.8)."""
    fits = [e for e in _escapable(ctx, combatant) if args.condition in ("", e.name)]
    if not fits:
        what = f"isn't {args.condition}" if args.condition else "has nothing to escape from"
        raise Refused(f"{combatant.name} {what}")
    if len({e.name for e in fits}) > 1:
        named = join_or([e.name for e in fits], "and")
        raise Refused(f"{combatant.name} is {named}: say out of which")
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
    has_number = dc is not None or (is_contest and args.versus is not None)
    if args.die is None or not (has_number or args.die.outcome):
        number = "the other's roll, `vs OUTCOME`" if is_contest else "its `dc N`"
        raise Refused(f"say how it came out to be no longer {effect.name}, with {number}")
    pay()
    skill = args.skill or better_skill(combatant)
    check = CheckRequest(
        combatant.id,
        _ABILITIES[skill],
        args.die,
        dc,
        modifiers=args.terms,
        skill=skill,
        tags=(skill,),
    )
    if source is not None and args.versus is not None:
        contest = replace(check, dc=None, against=source.id)
        won = _wins(ctx, contest, source, args.versus, "athletics")
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


_HELD = arguments.combatant_arg(
    "who is let go", usage="TARGET", field=Field("person", ("grappled",), legal=True)
)


class ReleaseArgs(holds.ReleaseArgs, frozen=True):
    target: Annotated[Combatant | None, _HELD] = None


# -- moving ----------------------------------------------------------------------------------------


def dash(ctx: Context, args: NoArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Movement grows by the Speed (3.3)."""
    pay()
    until = durations.present_turn(ctx.state, combatant.id)
    begin_effect(ctx, combatant.id, "dashing", until)
    ctx.text = f"{combatant.name} dashes"


def stand(ctx: Context, args: NoArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Half the Speed of movement ends prone (7.3)."""
    pay()
    end_effects_named(ctx, combatant.id, "prone", "stands up")
    ctx.text = f"{combatant.name} stands up"


def drop_prone(ctx: Context, args: NoArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Lie down, at no price (7.3)."""
    pay()
    apply_condition(ctx, combatant.id, attacks.PRONE)
    ctx.text = f"{combatant.name} drops prone"


class MoveArgs(Struct, frozen=True):
    feet: Annotated[int, arguments.number_arg("how many feet", 1, 9999, "FEET")]
    difficult: Annotated[bool, arguments.flag_arg(heard="difficult")] = False
    crawling: Annotated[bool, arguments.flag_arg(heard="crawling")] = False
    how: Annotated[str, arguments.anywhere_choice_arg("climbing", "swimming")] = ""
    dragging: Annotated[bool, arguments.flag_arg()] = False


_SPEED_OF = {"climbing": "climb", "swimming": "swim"}


def move(ctx: Context, args: MoveArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Counts movement down; nobody must (7.1 to 7.3, 6.8)."""
    if combatant.named("prone") is not None and not args.crawling:
        raise Refused(f"{combatant.name} is prone, and can only crawl or stand")
    held = GRAPPLE.held_by(ctx.state, combatant.id)
    if args.dragging and not held:
        raise Refused(f"{combatant.name} holds nobody to drag")
    heavy = any(size_of(each) != SIZES[0] and size_difference(combatant, each) < 2 for each in held)
    hard = bool(args.how) and not combatant.stats.get(_SPEED_OF[args.how])
    extra = (args.difficult, args.crawling, hard, args.dragging and heavy)
    pay({"movement": args.feet * (1 + sum(extra))})
    words = ("difficult", "crawling", args.how, "dragging")
    why = [word for word, is_so in zip(words, extra, strict=True) if is_so]
    ctx.text = f"{combatant.name} moves {args.feet} feet{f' ({join_or(why)})' if why else ''}"


# -- all of them -----------------------------------------------------------------------------------

ACTIONS: dict[str, DeclaredTechnique] = {
    "attack": DeclaredTechnique(attacks.AttackArgs, attacks.take_attack),
    "off-hand": DeclaredTechnique(attacks.AttackArgs, attacks.take_off_hand),
    "cleave": DeclaredTechnique(attacks.AttackArgs, attacks.cleave),
    "cast": DeclaredTechnique(spells.CastArgs, spells.cast),
    "dash": DeclaredTechnique(NoArgs, dash),
    "help": DeclaredTechnique(HelpArgs, help_somebody),
    "hide": DeclaredTechnique(HideArgs, hide),
    "search": DeclaredTechnique(SearchArgs, search),
    "study": DeclaredTechnique(StudyArgs, study),
    "influence": DeclaredTechnique(InfluenceArgs, influence),
    "grapple": DeclaredTechnique(GrappleArgs, grapple),
    "shove": DeclaredTechnique(ShoveArgs, shove),
    "escape": DeclaredTechnique(EscapeArgs, escape),
    "release": DeclaredTechnique(ReleaseArgs, GRAPPLE.release),
    "use": DeclaredTechnique(srd_actions.UseArgs, srd_actions.use),
    "first-aid": DeclaredTechnique(FirstAidArgs, first_aid),
    "stand": DeclaredTechnique(NoArgs, stand),
    "drop-prone": DeclaredTechnique(NoArgs, drop_prone),
    "move": DeclaredTechnique(MoveArgs, move),
    "mount": DeclaredTechnique(surroundings.MountArgs, surroundings.mount),
    "dismount": DeclaredTechnique(NoArgs, surroundings.dismount),
    "drop": DeclaredTechnique(conditions.DropArgs, conditions.drop),
    "power": DeclaredTechnique(spells.PowerArgs, spells.use_power),
}
REACTIONS: dict[str, DeclaredTechnique] = {
    "opportunity-attack": DeclaredTechnique(OpportunityArgs, opportunity),
}


def _mark(ctx: Context, combatant_id: str, track: str, by: int, what: str) -> None:
    change = TrackChanged(combatant_id, track, by, why=what)
    ctx.emit(clamp_event(ctx.tables, ctx.state, change))


TECHNIQUES = TechniqueRunner(
    action_economy.ECONOMY,
    apply_condition,
    ACTIONS,
    REACTIONS,
    mark=_mark,
    lasting=RULES.lasting,
)


class Actions(srd_actions.Actions):
    """Techniques, powers and spells of their own; fists go without saying."""

    def weapons(self, combatant: Combatant) -> list[str]:
        return [attack.name for attack in sheet.attacks_of(combatant)]

    def own_options(
        self, tables: Tables, state: Encounter, combatant: Combatant
    ) -> list[AvailableAction]:
        """List the powers; lair actions of 2014 are the lair's alone."""
        own = super().own_options(tables, state, combatant)
        is_lair = lairs.is_lair(combatant)
        return [option for option in own if is_lair or lairs.LAIR_ACTION not in option.cost]

    def spells(self, combatant: Combatant) -> list[str]:
        return [spell.name for spell in sheet.spells_of(combatant)]


# -- ready -----------------------------------------------------------------------------------------

_NEVER = (READY, "off-hand", "cleave", "stand", "drop-prone", "mount", "dismount", "release")


def readiable(tables: Tables) -> list[str]:
    """List the techniques that can be readied: those that take the action, and a move."""
    rows = tables.techniques
    takes = (n for n in techniques.action_techniques(tables) if "action" in rows[n].cost)
    return [*(name for name in takes if name not in _NEVER), "move"]


class ReadySpellArgs(Struct, frozen=True):
    spell: Annotated[str, arguments.phrase_arg("the spell's name", "SPELL", Field("spell"))]
    slot: Annotated[int, arguments.keyword_arg("slot", arguments.number_arg("its level", 1, 9))] = 0


class ReadyArgs(Struct, frozen=True):
    """The arguments of `ready`: a technique by its name, or `cast SPELL [slot N]`, and the
    trigger."""

    action: Annotated[TechniqueUse, srd_actions.ready_arg(readiable, ReadySpellArgs)]
    trigger: techniques.TRIGGER = ""


def _terms(ctx: Context, args: ReadyArgs) -> ReadiedAction:
    name, spell = args.action.name, args.action.args
    called = ctx.tables.techniques[name].name
    if spell is None:
        return ReadiedAction(name, called)
    says = f"{spell.spell}, slot {spell.slot}" if spell.slot else spell.spell
    slots = {"slot": spell.slot} if spell.slot else {}
    return ReadiedAction(name, called, of=spell.spell, says=says, modifiers=slots)


def _pay(ctx: Context, combatant: Combatant, terms: ReadiedAction) -> int:
    """Readying takes the action; a spell is cast and paid for now, and concentrated on (3.11)."""
    if terms.name != spells.CAST:
        actions.pay(action_economy.ECONOMY, ctx, combatant.id, READY)
        return 0
    args = spells.CastArgs(terms.of, slot=terms.modifiers.get("slot", 0))
    spell = spells.spell_of(combatant, terms.of)
    if spell is not None and spell.takes != "action":
        by_what = f"a {'bonus action' if spell.takes == 'bonus' else spell.takes}"
        raise Refused(f"{terms.of} is cast by {by_what}, and can't be readied")
    pay = partial(actions.pay, action_economy.ECONOMY, ctx, combatant.id, READY)
    spells.begin_spell(ctx, args, combatant, spell, pay)
    spells.end_other_concentration(ctx, combatant.id)
    srd_actions.concentrate_on_readied(ctx, ctx.state[combatant.id], terms.of)
    return 0


class ReadiedCastArgs(spells.CastArgs, frozen=True):
    """The arguments of `cast` when it was readied: the `at` before its targets may be left out."""

    at: Annotated[spells.AimArgs | None, spells.AIMED] = None


def _act(reading: ParseState, combatant: Combatant, readied: Effect) -> None:
    ctx, tokens = reading.ctx, reading.words
    if readied.because == spells.CAST:
        techniques.take_readied_again(ctx, tokens, readied.type)
        args = parse_arguments(ReadiedCastArgs, ctx, tokens, spell=readied.type)
        tokens.finish()
        spells.release_spell(ctx, args, combatant, spells.spell_of(combatant, readied.type))
        ctx.text += ", as readied"
        return
    payment = partial(srd_actions.pay_the_rest, ctx, combatant, readied.because)
    techniques.perform_readied(TECHNIQUES, reading, readied, payment)


class ReactArgs(Struct, frozen=True):
    """The arguments of `react`: a reaction of the tables, or any other in quotes."""

    reaction: Annotated[
        TechniqueUse | str, replace(srd_actions.react_arg(TECHNIQUES), read=_read_reaction)
    ]


def technique_commands(tables: Tables) -> tuple[Command, ...]:
    """A command for each technique of the tables, `react` for the reactions, and `trigger`."""
    take = partial(action_economy.pay_reaction, what="trigger")
    readying = ReadyRules(ReadyArgs, _terms, _pay, take, _act)
    return srd_actions.technique_commands(TECHNIQUES, tables, readying, ReactArgs)
