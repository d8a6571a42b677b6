"""Ability checks: bonuses, advantage, outcomes, and what a critical or a miss brings.

Seed 004: Ability Checks, Advantage & Disadvantage, Difficulty Class, Effect Steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.events import Changed, Rolled
from affray.core.heart.state import Combatant, Effect
from affray.core.language.clauses import read_faces, refuse_two_dice
from affray.core.language.refusal import Refused, listed, signed
from affray.core.language.words import Words
from affray.rulekit import leaning, numbers
from affray.rulekit.numbers import Part
from affray.rulesets.monsters_and_magic import forwards, totals

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

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
ABILITIES = ("power", "cunning", "focus", "luck")
TERM_WORDS = (
    "adv", "dis", "advantage", "disadvantage", "dc", "step", "plus", "prepared", "bond",
)  # fmt: skip
HITS: tuple[Outcome, ...] = ("weak", "strong", "crit")
LEANS = ", or what there is: `adv` or `dis`"


class Die(Struct, frozen=True):
    """How a check's d20 is known: its outcome in a word, the faces as they lie, or to be rolled.

    A `final` outcome has its effect steps behind it.
    """

    said: Outcome | None = None
    faces: tuple[int, ...] = ()
    final: bool = False

    @property
    def rolled_here(self) -> bool:
        """Whether the program is to roll it."""
        return self.said is None and not self.faces


class Terms(Struct, frozen=True):
    """What is agreed about one check: DC, steps, stated advantage and extra bonuses."""

    dc: int | None = None
    step: int = 0
    advantage: bool = False
    disadvantage: bool = False
    plus: tuple[Part, ...] = ()
    prepared: bool = False


def outcome_of(total: int, natural: int, dc: int | None = None, step: int = 0) -> Outcome:
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


def read_die(ctx: Context, words: Words, what: str = "an outcome") -> Die:
    """Read OUTCOME, `natural N[,M]` or `roll`. Raises Refused for anything else.

    A command that is decided anew has its outcome already: the words are read, and it stands.
    """
    word = words.choice(f"{what}: miss, weak, strong, crit, natural N or roll", _DIE_WORDS)
    faces = read_faces(words)[0] if word == "natural" else ()
    return known_die(ctx) or Die(SAID.get(word), faces)


def read_dice(ctx: Context, words: Words, rolls: int, what: str = "an outcome") -> list[Die]:
    """Read the dice of so many rolls: an outcome for all or `strong,weak`, faces, or `roll`.

    Raises Refused for another number of them; and for several rolls of a command that is decided
    anew, as what has changed is one roll's outcome.
    """
    if rolls == 1:
        return [read_die(ctx, words, what)]
    if ctx.said:
        raise Refused("several rolls were made at once")
    if words.peek() == "natural":
        words.next("natural")
        return [Die(faces=faces) for faces in read_faces(words, rolls)]
    said = words.peek().split(",")
    if len(said) == 1:
        return [read_die(ctx, words, what)] * rolls
    if len(said) != rolls or not all(word in SAID for word in said):
        raise words.refuse(f"expected {rolls} outcomes, one for each, such as weak,strong")
    words.next(what)
    return [Die(SAID[word]) for word in said]


def known_die(ctx: Context) -> Die | None:
    """The outcome of a command that is decided anew; None for one that is given."""
    return Die(SAID[ctx.said], final=True) if ctx.said else None


def read_roll(
    ctx: Context, words: Words, what: str = "an outcome", terms: Terms | None = None
) -> tuple[Die, Terms]:
    """Read a die and the terms behind it, on top of the terms that the rules set."""
    die = read_die(ctx, words, what)
    return die, read_terms(words, terms or Terms())


_DIE_WORDS = (*SAID, "natural", "roll")


def is_die(words: Words) -> bool:
    """Whether the next word begins an outcome, `natural` or `roll`."""
    return words.peek() in _DIE_WORDS


def read_term(words: Words, terms: Terms) -> Terms | None:
    """Read one term of a check, such as `adv` or `dc 12`; None when the next word is none."""
    word = words.take(*TERM_WORDS)
    if not word:
        return None
    if word.startswith("adv"):
        return replace(terms, advantage=True)
    if word.startswith("dis"):
        return replace(terms, disadvantage=True)
    if word == "prepared":
        return replace(terms, prepared=True)
    if word == "dc":
        return replace(terms, dc=words.number("the DC", 1, 99))
    if word == "step":
        return replace(terms, step=words.number("the effect steps, such as +1 or -1", -4, 4))
    amount = words.number("the bonus" if word == "plus" else "the bond", -99, 99)
    return replace(terms, plus=(*terms.plus, Part(amount, "said" if word == "plus" else "bond")))


def read_terms(words: Words, terms: Terms) -> Terms:
    """Read all terms that stand next."""
    while more := read_term(words, terms):
        terms = more
    return terms


def ability(combatant: Combatant, name: str) -> Part:
    """The bonus for an ability; for a monster its CR, once (seed 004: Abilities)."""
    if combatant.kind != "pc":
        return Part(combatant.number("cr"), "CR")
    return Part(combatant.number(name), name.upper())


def make(ctx: Context, check: Check) -> Outcome:
    """Make one check: emit the roll and what follows from it, and give the outcome.

    Raises Refused for two dice where nothing gives advantage or disadvantage, and for calling on
    being prepared where one is not.
    """
    if check.terms.prepared and ctx.state[check.who].named("prepared") is None:
        raise Refused(f"{ctx.state.name(check.who)} is not prepared")
    used = forwards.fitting(ctx.state[check.who], check.tags, check.terms.prepared)
    rolled = _called_out(check) if check.die.said is not None else _roll(ctx, check, used)
    ctx.emit(rolled)
    leaning.use_up(ctx, check.who, [*used, *totals.spent_by(ctx, check.who, _kind(check))])
    outcome = SAID[rolled.outcome]
    if check.rewarded:
        natural = check.die.said in ("crit", "crit-miss") or rolled.natural in (1, 20)
        reward(ctx, check.who, outcome, natural)
    return outcome


def _kind(check: Check) -> str:
    """The total that counts in a check: `attack` or `check`."""
    return "attack" if "attack" in check.tags else "check"


def _called_out(check: Check) -> Rolled:
    """A check of which only the outcome is known."""
    die, terms = check.die, check.terms
    assert die.said is not None
    return Rolled(
        check.who,
        "1d20",
        for_=check.what,
        against=check.against,
        dc=terms.dc,
        step=terms.step,
        outcome=die.said if die.final else stepped(die.said, terms.step),
        by_hand=True,
    )


def _roll(ctx: Context, check: Check, used: list[Effect]) -> Rolled:
    """A check whose dice lie on the table, or are rolled now."""
    die, terms = check.die, check.terms
    roller = ctx.state[check.who]
    parts = [
        *check.shares,
        *numbers.parts(totals.here(ctx, roller), _kind(check), against=check.against),
        *forwards.parts(used),
        *terms.plus,
    ]
    pro = [*check.pro, *(["said"] if terms.advantage else [])]
    con = [*check.con, *(["said"] if terms.disadvantage else [])]
    if not (pro or con):
        refuse_two_dice(die.faces, LEANS)
    net = bool(pro) - bool(con)
    faces = die.faces or tuple(ctx.dice.die(20) for _ in range(2 if net else 1))
    natural = faces[0] if net == 0 else max(faces) if net > 0 else min(faces)
    bonus = sum(p.amount for p in parts)
    return Rolled(
        check.who,
        _notation(len(faces) if net else 1, net, bonus),
        faces,
        natural + bonus,
        natural,
        check.what,
        check.against,
        terms.dc,
        outcome_of(natural + bonus, natural, terms.dc, terms.step),
        _why(parts, pro, con, terms.step),
        step=terms.step,
        by_hand=bool(die.faces),
        lean=net,
    )


def _notation(dice: int, net: int, bonus: int) -> str:
    """`2d20kh1+3`: as many dice as lie there, the one that counts, and what is added."""
    kept = "1d20" if dice == 1 else "2d20kh1" if net > 0 else "2d20kl1"
    return f"{kept}{bonus:+d}" if bonus else kept


def _why(parts: list[Part], pro: list[str], con: list[str], step: int) -> str:
    words = [f"{signed(p.amount)} {p.source}" for p in parts if p.amount]
    if pro and con:
        words.append("advantage and disadvantage cancel out")
    elif pro:
        words.append(f"advantage: {listed(pro, 'and')}")
    elif con:
        words.append(f"disadvantage: {listed(con, 'and')}")
    if step:
        words.append(f"{signed(step)} step")
    return ", ".join(words)


def reward(ctx: Context, who: str, outcome: Outcome, natural_critical: bool) -> None:
    """A character's critical brings a thread to them and to the GM; misses bring XP.

    Seed 004: Ability Checks (the table), Threads of Fate.
    """
    roller = ctx.state[who]
    if roller.kind != "pc":
        return
    if natural_critical:
        if roller.room("threads") > 0:
            ctx.emit(Changed(who, "threads", 1, why="a critical"))
        ctx.emit(Changed("", "threads", 1, why=f"{roller.name}'s critical"))
    economy = ctx.tables.economy
    if outcome == "miss":
        ctx.emit(Changed(who, "xp", economy["xp_for_a_miss"], why="a miss"))
    elif outcome == "crit-miss":
        ctx.emit(Changed(who, "xp", economy["xp_for_a_critical_miss"], why="a critical miss"))


def is_hit(outcome: Outcome) -> bool:
    """Whether an attack with this outcome hits."""
    return outcome in HITS
