"""5e: the actions of a turn, readied actions and reactions, and all techniques' commands.

SRD 5.2.1, Actions, Unarmed Strike, Movement and Position, Hide.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine import durations
from affray.core.engine.effects import end_effects_named
from affray.core.engine.events import NoteAdded
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.formatting.media import IN_WRITING, Notation
from affray.core.parser import arguments
from affray.core.parser.declarations import NoArgs, ParseState, parse_arguments, read_within
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import OFFERED, Field
from affray.core.rules.ruleset import AvailableAction, Command, Context
from affray.core.rules.tables import Tables
from affray.mechanics import actions, checks as shared_checks, techniques
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
    grapples,
    lairs,
    sheet,
    spells,
    surroundings,
)
from affray.rulesets.fifth.checks import CheckRequest
from affray.rulesets.fifth.rules import RULES
from affray.rulesets.fifth.sheet import SKILLS, is_2014
from affray.rulesets.srd import actions as srd_actions
from affray.rulesets.srd.action_economy import GRAPPLE, READY
from affray.rulesets.srd.attacks import HIDDEN
from affray.rulesets.srd.checks import FAILURE, SUCCESS, Outcome
from affray.rulesets.srd.conditions import apply_condition
from affray.rulesets.srd.dying import stabilise
from affray.rulesets.srd.sheet import next_turn, proficiencies_of

_DC = Annotated[int | None, shared_checks.SAID_DC]

# -- help ------------------------------------------------------------------------------------------

_ALLY = arguments.combatant_arg(
    "the ally", usage="ALLY", field=Field("ally", optional=True, others=True)
)
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
    """Advantage on an ally's next check, or on the next attack on an enemy."""
    ally, enemy = args.ally, args.against
    if enemy is None and ally is None:
        raise Refused("say whom to help, or against whom")
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


class HideArgs(Struct, frozen=True):
    die: Outcome
    terms: checks.Modifiers
    observers: Annotated[list[Combatant] | None, srd_actions.OBSERVERS] = None


def hide(ctx: Context, args: HideArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Dexterity (Stealth), DC 15; by the rules of 2014 against passive Perception."""
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
        keen = [c for c in observers if checks.passive_perception(c) >= total]
        reaches = f"passive Perception reaches {total}"
        if not is_2014(ctx.state):
            ctx.emit(*(NoteAdded(reaches, c.id, aside=True) for c in keen))
    ctx.text = f"{combatant.name} hides{', without success' if rolled.outcome == FAILURE else ''}"


_SEARCHES = ("insight", "medicine", "perception", "survival")
_STUDIES = ("arcana", "history", "investigation", "nature", "religion")
_INFLUENCES = {
    "deception": "cha", "intimidation": "cha", "performance": "cha", "persuasion": "cha",
    "animal-handling": "wis",
}  # fmt: skip
_FOR = arguments.keyword_arg("for", arguments.combatant_arg("the combatant to look for"))


def _searches(reading: ParseState) -> tuple[str, ...]:
    """The skills that one searches by, which the rules of 2014 name otherwise."""
    return ("perception", "investigation") if is_2014(reading.ctx.state) else _SEARCHES


_SKILL_OF_SEARCH = arguments.choice_arg(
    "the skill", _searches, "|".join((*_SEARCHES, "investigation")), Field(OFFERED)
)


class SearchArgs(Struct, frozen=True):
    skill: Annotated[str, _SKILL_OF_SEARCH]
    die: Outcome
    terms: checks.Modifiers
    dc: _DC = None
    whom: Annotated[Combatant | None, _FOR] = None


def search(ctx: Context, args: SearchArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Wisdom with a skill; somebody hidden is found by their total."""
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
    die: Outcome
    terms: checks.Modifiers
    dc: _DC = None


def study(ctx: Context, args: StudyArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Intelligence with a skill."""
    pay()
    check = CheckRequest(
        combatant.id,
        "int",
        args.die,
        args.dc,
        modifiers=args.terms,
        skill=args.skill,
    )
    ctx.text = f"{combatant.name} studies ({args.skill}){_came_out(check.make(ctx).outcome)}"


class InfluenceArgs(Struct, frozen=True):
    target: Annotated[
        Combatant, arguments.combatant_arg("the combatant to influence", usage="TARGET")
    ]
    skill: Annotated[str, arguments.choice_arg("the skill", tuple(_INFLUENCES))]
    die: Outcome
    terms: checks.Modifiers
    dc: _DC = None
    attitude: Annotated[str, arguments.anywhere_choice_arg("friendly", "hostile")] = ""


def influence(ctx: Context, args: InfluenceArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Make a check to bring somebody round, DC 15 unless the command names another (ruling 7)."""
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
        pro=pro,
        con=con,
    )
    outcome = check.make(ctx).outcome
    ctx.text = f"{combatant.name} influences {args.target.name}{_came_out(outcome)}"


# -- first aid -------------------------------------------------------------------------------------


class FirstAidArgs(Struct, frozen=True):
    other: Annotated[
        Combatant, arguments.combatant_arg("the combatant to treat", field=Field("ally"))
    ]
    die: Outcome
    terms: checks.Modifiers


def first_aid(ctx: Context, args: FirstAidArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Wisdom (Medicine), DC 10: the dying are stable, the knocked out awake."""
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
    )
    ctx.text = f"{combatant.name} treats {other.name}, without success"
    if check.make(ctx).outcome != SUCCESS:
        return
    if other.life == "dying":
        stabilise(ctx, other.id, f"first aid by {combatant.name}")
        ctx.text = f"{combatant.name} stabilises {other.name}"
    else:
        dying.wake(ctx, other.id, f"first aid by {combatant.name}")
        ctx.text = f"{combatant.name} wakes {other.name}"


# -- moving ----------------------------------------------------------------------------------------


def dash(ctx: Context, args: NoArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Movement grows by the Speed."""
    pay()
    until = durations.present_turn(ctx.state, combatant.id)
    begin_effect(ctx, combatant.id, "dashing", until)
    ctx.text = f"{combatant.name} dashes"


def stand(ctx: Context, args: NoArgs, combatant: Combatant, pay: PayFunction) -> None:
    """End prone, for half the Speed in movement."""
    pay()
    end_effects_named(ctx, combatant.id, "prone", "stands up")
    ctx.text = f"{combatant.name} stands up"


def drop_prone(ctx: Context, args: NoArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Lie down, at no price."""
    pay()
    apply_condition(ctx, combatant.id, attacks.PRONE)
    ctx.text = f"{combatant.name} drops prone"


class MoveArgs(Struct, frozen=True):
    feet: Annotated[int, arguments.number_arg("a distance in feet", 1, 9999, "FEET")]
    difficult: arguments.Heard = False
    crawling: arguments.Heard = False
    how: Annotated[str, arguments.anywhere_choice_arg("climbing", "swimming")] = ""
    dragging: arguments.Flag = False


_SPEED_OF = {"climbing": "climb", "swimming": "swim"}


def move(ctx: Context, args: MoveArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Counts movement down; nobody must."""
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


def _read_reaction(reading: ParseState) -> TechniqueUse | str:
    """A reaction; `grapple` and `shove` are opportunity attacks."""
    if does := reading.words.take(*grapples.SEIZES):
        args = read_within(grapples.OpportunityArgs, reading, instead=does)
        return TechniqueUse("opportunity-attack", args)
    found: TechniqueUse | str = srd_actions.react_arg(TECHNIQUES).read(reading)
    return found


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
    "grapple": DeclaredTechnique(grapples.GrappleArgs, grapples.grapple),
    "shove": DeclaredTechnique(grapples.ShoveArgs, grapples.shove),
    "escape": DeclaredTechnique(grapples.EscapeArgs, grapples.escape),
    "release": DeclaredTechnique(srd_actions.ReleaseArgs, GRAPPLE.release),
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
    "opportunity-attack": DeclaredTechnique(grapples.OpportunityArgs, grapples.opportunity),
}


TECHNIQUES = TechniqueRunner(
    action_economy.ECONOMY,
    apply_condition,
    ACTIONS,
    REACTIONS,
    lasting=RULES.lasting,
)


class Actions(srd_actions.Actions):
    """Techniques, powers and spells of their own; fists go without saying."""

    def weapons(self, combatant: Combatant) -> list[str]:
        return [attack.name for attack in sheet.attacks_of(combatant)]

    def own_options(
        self,
        tables: Tables,
        state: Encounter,
        combatant: Combatant,
        how: Notation = IN_WRITING,
    ) -> list[AvailableAction]:
        """List the powers; lair actions of 2014 are the lair's alone."""
        own = super().own_options(tables, state, combatant, how)
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
    """Readying takes the action; a spell is cast and paid for now, and concentrated on."""
    if terms.name != spells.CAST:
        actions.pay(action_economy.ECONOMY, ctx, combatant.id, READY)
        return 0
    args = spells.CastArgs(terms.of, slot=terms.modifiers.get("slot", 0))
    spell = spells.spell_of(combatant, terms.of)
    if spell is not None and spell.takes != "action":
        by_what = f"a {'bonus action' if spell.takes == 'bonus' else spell.takes}"
        raise Refused(f"{terms.of} takes {by_what} to cast, so can't be readied")
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
