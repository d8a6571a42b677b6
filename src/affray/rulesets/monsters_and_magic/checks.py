"""Ability checks: bonuses, advantage, outcomes, what a critical or a miss brings; of a group.

Seed 004: Ability Checks, Advantage & Disadvantage, Difficulty Class, Effect Steps, Talents,
Group Checks, Concealment, Basic Techniques (Dodge).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import add
from typing import Annotated, Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import in_force
from affray.core.heart.events import Changed, Rolled
from affray.core.heart.state import Combatant, Duration, Effect
from affray.core.language import arguments
from affray.core.language.clauses import names, they
from affray.core.language.declared import Argument, Reading, read
from affray.core.language.ids import hyphened
from affray.core.language.refusal import Refused, signed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb, declare
from affray.rulekit import numbers, rolls
from affray.rulekit.numbers import Part
from affray.rulekit.placing import begin
from affray.rulekit.rolls import Die
from affray.rulesets.monsters_and_magic import sheet, surroundings, totals
from affray.rulesets.monsters_and_magic.bonds import reputation_with
from affray.rulesets.monsters_and_magic.sheet import Talent, talent_bonus, talents_of

Outcome = Literal["crit-miss", "miss", "weak", "strong", "crit"]
LADDER: tuple[Outcome, ...] = ("miss", "weak", "strong")
SAID: dict[str, Outcome] = {
    "miss": "miss",
    "weak": "weak",
    "strong": "strong",
    "crit": "crit",
    "critical": "crit",
    "crit-miss": "crit-miss",
    "fumble": "crit-miss",
}
OUTCOMES = rolls.Outcomes(SAID, "miss, weak, strong, crit")
HITS: tuple[Outcome, ...] = ("weak", "strong", "crit")

_STEPS = arguments.number("the effect steps, such as +1 or -1", -4, 4)
_BOND = arguments.number("the bond", -99, 99)
_GROUP = arguments.text("with which group", usage="GROUP", asks="")


class Terms(rolls.Terms, frozen=True):
    """What is agreed about one check: advantage, bonuses, DC, steps."""

    bond: Annotated[int, arguments.clause("bond", _BOND, add)] = 0
    dc: Annotated[int | None, rolls.DC] = None
    step: Annotated[int, arguments.clause("step", _STEPS)] = 0
    prepared: Annotated[bool, arguments.flag()] = False
    reputation: Annotated[str, arguments.clause("reputation", _GROUP)] = ""


def outcome_of(natural: int, total: int, dc: int | None, step: int) -> Outcome:
    """What a check comes to (seed 004: Ability Checks, Difficulty Class, Effect Steps).

    A natural 20 or 1 is critical whatever the total. A DC takes the place of the 10; above 18,
    matching it is weak and beating it strong.
    """
    if natural == 20:
        return stepped("crit", step)
    if natural == 1:
        return stepped("crit-miss", step)
    weak = 10 if dc is None else dc
    strong = 18 if weak <= 18 else weak + 1
    plain: Outcome = "strong" if total >= strong else "weak" if total >= weak else "miss"
    return stepped(plain, step)


def stepped(outcome: Outcome, step: int) -> Outcome:
    """An outcome moved along miss, weak, strong (seed 004: Effect Steps).

    Steps never make a critical. A critical hit stepped down is strong first, a critical miss
    stepped up a miss first.
    """
    if step == 0 or (outcome == "crit" and step > 0) or (outcome == "crit-miss" and step < 0):
        return outcome
    if outcome == "crit":
        outcome, step = "strong", step + 1
    elif outcome == "crit-miss":
        outcome, step = "miss", step - 1
    return LADDER[min(2, max(0, LADDER.index(outcome) + step))]


class Check(Struct, frozen=True):
    """One check that is to be made.

    who       who makes it; `what` says what it is, in words
    shares    the roller's own bonuses; those of the situation, of forwards and of `terms` come on
              top
    tags      the kinds of roll that it is
    pro, con  the reasons for advantage and for disadvantage
    against   whom it is made against
    rewarded  whether a critical or a miss brings what it brings
    """

    who: str
    what: str
    shares: list[Part]
    die: Die
    terms: Terms = Terms()
    tags: tuple[str, ...] = ("check",)
    pro: list[str] = []
    con: list[str] = []
    against: str = ""
    rewarded: bool = True


def read_roll(ctx: Context, words: Words, what: str = "an outcome") -> tuple[Die, Terms]:
    """Read a die and the terms behind it."""
    return rolls.read_die(ctx, words, OUTCOMES, what), read(Terms, ctx, words)


def plain(
    who: Combatant,
    what: str,
    name: str,
    die: Die,
    terms: Terms,
    tag: str = "",
    against: str = "",
) -> Check:
    """A check with an ability alone: `what` it is in words, and the `tag` of what it counts as."""
    share = Part(sheet.ability(who, name), name.upper() if who.kind == "pc" else "CR")
    tags = ("check", name, *filter(None, (tag,)))
    return Check(who.id, what, [share], die, terms, tags, against=against)


def make(ctx: Context, check: Check) -> Outcome:
    """Make one check: emit the roll and what follows from it, and give the outcome.

    Raises Refused for two dice where nothing gives advantage or disadvantage, and for calling on
    being prepared where one is not.
    """
    terms = check.terms
    if terms.prepared and ctx.state[check.who].named(totals.PREPARED) is None:
        _become_prepared(ctx, ctx.state[check.who])
    used = totals.fitting(ctx.state[check.who], check.tags, terms.prepared)
    comes_out = partial(outcome_of, dc=terms.dc, step=terms.step)
    hint = ", or what there is: `adv` or `dis`"
    rolled = rolls.make(ctx, _roll(ctx, check, used), comes_out, hint)
    totals.use_up(ctx, check.who, _kind(check), used, check.tags)
    outcome = SAID[rolled.outcome]
    if check.rewarded and ctx.state[check.who].kind == "pc":
        is_critical = check.die.said in ("crit", "crit-miss") or rolled.natural in (1, 20)
        _reward(ctx, check.who, outcome, is_critical)
    return outcome


def total_of(ctx: Context, check: Check) -> int:
    """Make a check of which the total alone matters, without success steps, as for initiative."""
    used = totals.fitting(ctx.state[check.who], check.tags)
    total = rolls.total_of(ctx, _roll(ctx, check, used))
    totals.use_up(ctx, check.who, _kind(check), used, check.tags)
    return total


def _become_prepared(ctx: Context, who: Combatant) -> None:
    """Spend what one holds for this: 1 makes prepared for a roll (Rest & Recovery, Prepare).

    Raises Refused for somebody who is not prepared, and holds nothing.
    """
    if not who.track(totals.PREPARED):
        raise Refused(f"{who.name} is not prepared")
    totals.spend_charges(ctx, who, totals.PREPARED, 1)
    begin(ctx, who.id, totals.PREPARED, Duration("use"))


def _kind(check: Check) -> str:
    """The total that counts in a check: `attack` or `check`."""
    return "attack" if "attack" in check.tags else "check"


def _roll(ctx: Context, check: Check, used: list[Effect]) -> rolls.Roll:
    """The roll that a check is; where its outcome was called out, that with its effect steps."""
    terms, die = check.terms, check.die
    pro, con = [*check.pro, *terms.pro], [*check.con, *terms.con]
    note = f"{signed(terms.step)} step" if terms.step else ""
    if die.said and not die.final:
        die = replace(die, said=stepped(SAID[die.said], terms.step))
    parts = [] if die.said else _parts(ctx, check, used)
    return rolls.Roll(
        check.who, check.what, die, parts, terms.dc, check.against, pro, con, terms.step, note
    )


def _parts(ctx: Context, check: Check, used: list[Effect]) -> list[Part]:
    """All that is added: the roller's own, the situation's, forwards', and what was said."""
    who = ctx.state[check.who]
    group = check.terms.reputation
    scopes = [*totals.scopes_of(check.tags)]
    return [
        *check.shares,
        *numbers.parts(totals.here(ctx, who), _kind(check), scopes, check.against),
        *map(totals.forward_part, used),
        *check.terms.parts,
        Part(check.terms.bond, "bond"),
        Part(reputation_with(who, group), f"reputation with {group}"),
    ]


_XP = {
    "miss": ("xp_for_a_miss", "a miss"),
    "crit-miss": ("xp_for_a_critical_miss", "a critical miss"),
}
"""For which outcomes one learns something: how much the tables say, and what for."""


def _reward(ctx: Context, who: str, outcome: Outcome, is_critical: bool) -> None:
    """A character's critical brings a thread to them and to the GM; misses bring XP.

    Seed 004: Ability Checks (the table), Threads of Fate.
    """
    roller = ctx.state[who]
    if is_critical and roller.room("threads") > 0:
        ctx.emit(Changed(who, "threads", 1, why="a critical"))
    if is_critical:
        ctx.emit(Changed("", "threads", 1, why=f"{roller.name}'s critical"))
    if outcome in _XP:
        amount, why = _XP[outcome]
        ctx.emit(Changed(who, "xp", ctx.tables.economy[amount], why=why))


# -- the command -----------------------------------------------------------------------------------


PLAIN_TALENT = "talent"
"""A talent of which the sheet says nothing."""


def _talent(reading: Reading) -> str:
    """Read the talent that helps, by its name where it is on the sheet of one of them."""
    words, people = reading.words, reading.said["people"]
    known = [name for who in people for name in talents_of(who)]
    if words.done:
        words.offered += known
    if hyphened(words.peek()) not in known:
        return words.take(*known) or PLAIN_TALENT
    return hyphened(words.next("the talent"))


_TALENT = Argument(_talent, "talent [TALENT]", keywords=("talent",), joins=lambda earlier, now: now)
_LOOKED_FOR = arguments.clause("of", arguments.person("who is looked for"))


class Said(Struct, frozen=True):
    """What `check` says; a talent adds PB and its increases, with expertise twice. `more` is what
    those who ask for it add."""

    people: Annotated[list[Combatant], arguments.people("who makes the check")]
    ability: Annotated[str, arguments.choice("an ability", totals.ABILITIES, "ABILITY")]
    dice: Annotated[list[Die], rolls.die_said(OUTCOMES, "people")]
    save: Annotated[bool, arguments.flag()] = False
    talent: Annotated[str, _TALENT] = ""
    expertise: Annotated[bool, arguments.flag()] = False
    sight: Annotated[bool, arguments.flag()] = False
    of: Annotated[Combatant | None, _LOOKED_FOR] = None
    concealed: Annotated[bool, arguments.flag()] = False
    terms: Annotated[Terms, arguments.words_of(Terms)] = Terms()
    more: tuple[Part, ...] = ()


def _check(ctx: Context, said: Said) -> None:
    outcomes = made(ctx, said)
    what = f"{said.ability} {'saving throw' if said.save else 'check'}"
    told = they(said.people, f"makes a {what}", f"make {what}s")
    ctx.text = f"{told}, {', '.join(outcomes)}"


def made(ctx: Context, said: Said) -> list[Outcome]:
    """Make the check of each of them, and give how each comes out."""
    if said.save and (said.talent or said.expertise):
        raise Refused("a talent helps with skill checks, not with saving throws")
    outcomes = []
    for who, die in zip(said.people, said.dice, strict=True):
        seen = _seen(ctx, who, said)
        blinded = said.sight and "blinded" in in_force(ctx.tables, ctx.state, who)
        if blinded or seen in surroundings.UNSEEN:
            die = Die("miss", final=True)
        if said.save:
            check = saving_throw(ctx, who, said.ability, die, said.terms)
        else:
            check = plain(who, "check", said.ability, die, said.terms)
        dim = surroundings.concealment(ctx, said.concealed, seen)
        shares = [*check.shares, _talent_part(who, said), dim, *said.more]
        outcomes.append(make(ctx, replace(check, shares=shares)))
    return outcomes


def saving_throw(
    ctx: Context, who: Combatant, name: str, die: Die, terms: Terms, against: str = ""
) -> Check:
    """The saving throw that a rule asks for, with that ability: with cunning a Dodge helps."""
    check = plain(who, "saving throw", name, die, terms, "save", against)
    dodges = name == "cunning" and who.named("dodging") is not None
    return replace(check, pro=["dodging"]) if dodges and totals.can_dodge(ctx, who) else check


def _seen(ctx: Context, who: Combatant, said: Said) -> str:
    """How hard it is to see what a check looks for; empty for one that takes no sight."""
    if said.of is not None:
        return surroundings.look_at(ctx, who, said.of)
    return surroundings.by_light(ctx, who, None) if said.sight else ""


def _talent_part(who: Combatant, said: Said) -> Part:
    own = talents_of(who).get(said.talent, Talent(said.talent or PLAIN_TALENT))
    helps = who.kind == "pc" and (said.talent or said.expertise)
    return Part(talent_bonus(who, own, said.expertise) if helps else 0, own.name)


# -- of a group ------------------------------------------------------------------------------------

GROUP_CHECK = "group check"


def group_outcome(outcomes: Sequence[Outcome]) -> Outcome:
    """What the results of all come to: miss, weak or strong.

    A critical counts twice, each strong hit takes away a miss, and the most frequent result
    decides; of equally many the lowest.

    >>> group_outcome(["strong", "weak", "weak", "crit-miss"])
    'weak'
    """
    strong = outcomes.count("strong") + 2 * outcomes.count("crit")
    missed = outcomes.count("miss") + 2 * outcomes.count("crit-miss")
    counts = {"miss": max(0, missed - strong), "weak": outcomes.count("weak"), "strong": strong}
    return max(LADDER, key=lambda outcome: counts[outcome])  # the first of equals is the lowest


def _group_check(ctx: Context, words: Words) -> None:
    said = [read(Said, ctx, words)]
    while not words.done:
        said.append(read(Said, ctx, words))
    outcome = together(ctx, said)
    people = [who for each in said for who in each.people]
    ctx.text = f"{names(people)} make a group check, {outcome}"


def together(ctx: Context, said: Sequence[Said]) -> Outcome:
    """Make the checks of all, and give what they come to, which stands in the log behind them."""
    people = [who for each in said for who in each.people]
    if twice := [who.name for who in people if people.count(who) > 1]:
        raise Refused(f"{twice[0]} is named twice: each makes one check")
    if any(each.save for each in said):
        raise Refused("a saving throw is nobody's but one's own: a group makes no `save`")
    outcomes = [outcome for each in said for outcome in made(ctx, each)]
    outcome = group_outcome(outcomes)
    told = f"{', '.join(outcomes)} of {names(people)}"
    ctx.emit(Rolled("", "", for_=GROUP_CHECK, outcome=outcome, why=told))
    return outcome


VERBS = (
    declare("check", "makes an ability check", Said, _check),
    Verb(
        "group-check",
        "group-check NAME[,NAME] ABILITY OUTCOME [WORDS] [NAME[,NAME] ABILITY OUTCOME ...]",
        "everybody makes a check, and together they come to one result",
        _group_check,
    ),
)
