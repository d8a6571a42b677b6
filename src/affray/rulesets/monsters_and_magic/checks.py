"""Ability checks: bonuses, advantage, outcomes, and what a critical or a miss brings.

Seed 004: Ability Checks, Advantage & Disadvantage, Difficulty Class, Effect Steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.core.events import Changed, Rolled
from affray.core.refusal import Refused, listed, signed
from affray.core.ruleset import Share
from affray.core.state import Combatant
from affray.core.words import Words
from affray.rulesets.monsters_and_magic import forwards, totals
from affray.rulesets.monsters_and_magic.creatures import number

if TYPE_CHECKING:
    from affray.core.decide import Context

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


class Die(Struct, frozen=True):
    """How a check's d20 is known: its outcome in a word, the faces as they lie, or to be rolled."""

    said: Outcome | None = None
    faces: tuple[int, ...] = ()

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
    plus: tuple[Share, ...] = ()
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


def read_die(words: Words, what: str = "an outcome") -> Die:
    """Read OUTCOME, `natural N[,M]` or `roll`. Raises Refused for anything else."""
    word = words.choice(f"{what}: miss, weak, strong, crit, natural N or roll", _DIE_WORDS)
    if word == "roll":
        return Die()
    if word == "natural":
        return Die(faces=_faces(words))
    return Die(said=SAID[word])


_DIE_WORDS = (*SAID, "natural", "roll")


def is_die(words: Words) -> bool:
    """Whether the next word begins an outcome, `natural` or `roll`."""
    return words.peek() in _DIE_WORDS


def _faces(words: Words) -> tuple[int, ...]:
    word = words.next("the d20 as it lies, 1 to 20 (two dice: 4,15)")
    parts = word.split(",")
    if len(parts) > 2 or not all(p.isdecimal() and 1 <= int(p) <= 20 for p in parts):
        words.at -= 1
        raise words.refuse(f"expected the d20 as it lies, 1 to 20 (two dice: 4,15), found {word!r}")
    return tuple(int(p) for p in parts)


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
    return replace(terms, plus=(*terms.plus, Share(amount, "said" if word == "plus" else "bond")))


def ability(combatant: Combatant, name: str) -> Share:
    """The bonus for an ability; for a monster its CR, once (seed 004: Abilities)."""
    if combatant.kind != "pc":
        return Share(number(combatant, "cr"), "CR")
    return Share(number(combatant, name), name.upper())


def check(
    ctx: Context,
    who: str,
    what: str,
    shares: list[Share],
    die: Die,
    terms: Terms,
    tags: tuple[str, ...],
    advantage: tuple[list[str], list[str]] = ([], []),
    against: str = "",
    rewarded: bool = True,
) -> Outcome:
    """Make one check: emit the roll and what follows from it, and give the outcome.

    `shares` are the roller's own bonuses; those of the situation, of forwards and of `terms` are
    added here. `tags` name the kinds of roll that it is. `advantage` holds the reasons for
    advantage and for disadvantage.
    """
    roller = ctx.state[who]
    used = forwards.fitting(roller, tags, terms.prepared)
    if die.said is not None:
        outcome = stepped(die.said, terms.step)
        ctx.emit(
            Rolled(
                who, "1d20", for_=what, against=against, dc=terms.dc, outcome=outcome, by_hand=True
            )
        )
        natural_critical = die.said in ("crit", "crit-miss")
    else:
        parts = [
            *shares,
            *totals.shares(
                ctx.tables, ctx.state, roller, "attack" if "attack" in tags else "check"
            ),
            *forwards.shares(used),
            *terms.plus,
        ]
        pro = [*advantage[0], *(["said"] if terms.advantage else [])]
        con = [*advantage[1], *(["said"] if terms.disadvantage else [])]
        outcome, natural_critical = _roll(ctx, roller, what, parts, die, terms, (pro, con), against)
    forwards.use(ctx, who, used)
    if rewarded:
        reward(ctx, who, outcome, natural_critical)
    return outcome


def _roll(
    ctx: Context,
    roller: Combatant,
    what: str,
    parts: list[Share],
    die: Die,
    terms: Terms,
    advantage: tuple[list[str], list[str]],
    against: str,
) -> tuple[Outcome, bool]:
    if len(die.faces) == 2 and not any(advantage):
        raise Refused("two dice are rolled with advantage or disadvantage: say `adv` or `dis`")
    net = bool(advantage[0]) - bool(advantage[1])
    faces = die.faces or tuple(ctx.dice.die(20) for _ in range(2 if net else 1))
    natural = faces[0] if net == 0 else max(faces) if net > 0 else min(faces)
    bonus = sum(int(p.amount) for p in parts)
    total = natural + bonus
    outcome = outcome_of(total, natural, terms.dc, terms.step)
    dice = "1d20" if len(faces) == 1 else "2d20kh1" if net > 0 else "2d20kl1" if net < 0 else "1d20"
    ctx.emit(
        Rolled(
            roller.id,
            f"{dice}{signed(bonus).replace('−', '-') if bonus else ''}",
            faces,
            total,
            natural,
            what,
            against,
            terms.dc,
            outcome,
            _why(parts, advantage, terms.step),
            by_hand=bool(die.faces),
        )
    )
    return outcome, natural in (1, 20)


def _why(parts: list[Share], advantage: tuple[list[str], list[str]], step: int) -> str:
    words = [f"{signed(int(p.amount))} {p.source}" for p in parts if p.amount]
    if advantage[0] and advantage[1]:
        words.append("advantage and disadvantage cancel out")
    elif advantage[0]:
        words.append(f"advantage: {listed(advantage[0], 'and')}")
    elif advantage[1]:
        words.append(f"disadvantage: {listed(advantage[1], 'and')}")
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
