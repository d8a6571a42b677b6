"""Doing a technique, at once or readied: by its function, or as its row says it, without any code.

A row with `does` says all of it: the technique pays, marks what it marks, is done to whom it asks
for, leaves its effects and says so. A campaign's own techniques are all of this kind.

    TECHNIQUES = Techniques(ECONOMY, acts={"strike": strike}, usage={"strike": "strike TARGET ..."},
                            lay=_lay, mark=_mark)
    verbs(TECHNIQUES, tables)                 # `strike`, and `dodge`, which is all in its row
    do(TECHNIQUES, "dodge", ctx, words)       # what the command `dodge` does
    ready_verbs(TECHNIQUES, READYING, 'ready TECHNIQUE', ...)     # `ready` and `trigger`
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from msgspec import Struct

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end, end_named, rule_of
from affray.core.heart.state import Combatant, Duration, Edge, Effect, Encounter
from affray.core.language.asks import HEARD, ONE, SEVERAL, Ask, read_ask
from affray.core.language.clauses import names, refuse_dead, who_has
from affray.core.language.declared import asks_of, read, usages_of
from affray.core.language.refusal import Refused, listed
from affray.core.language.who import standing
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.core.rules.tables import Does, Tables, Technique
from affray.rulekit import acts
from affray.rulekit.acts import Act, Cost, Economy, Pay, needs_another
from affray.rulekit.placing import Lasting, Placing, begin, renew, turns, until_for

Lay = Callable[["Context", Words, str, tuple[str, ...], Placing], str]
"""Lays an effect that a row leaves, by its name, on those ids, and gives in words what was done:
"Ghoul 1 is shaken". The words are what is left of the command."""


class Declared(Struct, frozen=True):
    """A technique whose arguments a struct declares (`core.language.declared`), and its function,
    which is given what was said, who does it and how it is paid."""

    said: type[Struct]
    run: Callable[[Context, Any, Combatant, Pay], None]

    def __call__(self, ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
        """Do it: when it is paid, its words have been read, and none is left over."""
        said = read(self.said, ctx, words)
        words.finish()
        self.run(ctx, said, who, pay)


class Techniques(Struct, frozen=True):
    """A game's techniques: how they are paid, and what they are done with.

    acts       id -> its function, for the actions that have one; all others are all in their rows
    reactions  likewise, for what stands behind `react`
    usage      id -> how its command is written, for actions with words that nothing declares
    mark       marks a track of somebody, or clears marks below 0, with what for: "Whirl"
    again      what `lay` reads behind the command for an effect that is there already, as a usage
               has it: ("extend", "detonate AMOUNT"); nothing where it is another instance
    next_turn  the start or end of somebody's next turn: to it an effect of a row lasts, and until
               its start what is readied
    """

    economy: Economy
    lay: Lay
    acts: Mapping[str, Act] = {}
    reactions: Mapping[str, Act] = {}
    usage: Mapping[str, str] = {}
    mark: Callable[[Context, str, str, int, str], None] = lambda ctx, who, track, by, what: None
    again: Callable[[Tables, str], tuple[str, ...]] = lambda tables, effect: ()
    next_turn: Callable[[Encounter, str, Edge], Duration] = timing.at_turn


def lay_by(game: Lasting, lay: Callable[[Context, str, str, Duration, str], object]) -> Lay:
    """How rows leave effects: `lay` begins each, and is given on whom, which, until when and from
    whom; a trace takes the place of one that is there."""

    def lay_each(
        ctx: Context, words: Words, name: str, people: tuple[str, ...], placing: Placing
    ) -> str:
        for who in people:
            until = until_for(game, ctx, who, placing, name)
            if rule_of(ctx.tables, name).kind == "trace":
                renew(ctx, who, name, until, source=placing.source)
            else:
                lay(ctx, who, name, until, placing.source)
        return ", ".join(f"{ctx.state.name(who)} is {name}" for who in people)

    return lay_each


# -- by name ---------------------------------------------------------------------------------------


def actions(tables: Tables) -> list[str]:
    """The techniques that are commands, and can be readied: all but the reactions."""
    return [name for name, row in tables.techniques.items() if not row.reaction]


def reactions(tables: Tables) -> list[str]:
    """The techniques that stand behind `react`."""
    return [name for name, row in tables.techniques.items() if row.reaction]


def act_of(game: Techniques, name: str) -> Act:
    """What a technique does: its function, or what its row says."""
    known = game.acts.get(name) or game.reactions.get(name)
    return known or partial(_do_row, game, name)


def do(game: Techniques, name: str, ctx: Context, words: Words) -> None:
    """Whoever acts does a technique at once, and pays for it."""
    who = ctx.actor()
    act_of(game, name)(ctx, words, who, partial(acts.pay, game.economy, ctx, who.id, name))


def verbs(game: Techniques, tables: Tables, but: Collection[str] = ()) -> tuple[Verb, ...]:
    """The commands of the actions in the tables, `but` for some, each by its id."""
    return tuple(verb(game, tables, name) for name in actions(tables) if name not in but)


def verb(game: Techniques, tables: Tables, name: str) -> Verb:
    """The command of one technique, as it is declared, or as the game or its row has it."""
    act, does, run = game.acts.get(name), f"the technique {name}", partial(do, game, name)
    if isinstance(act, Declared):
        return Verb(name, "", does, run, True, act.said)
    usage = game.usage.get(name, name) if act else _usage(game, tables, name)
    return Verb(name, f"{usage} [by NAME]", does, run, True)


def reaction_usages(game: Techniques) -> str:
    """How the reactions that are declared are written: `react retaliate TARGET [by NAME]`."""
    declared = {n: act.said for n, act in game.reactions.items() if isinstance(act, Declared)}
    return " | ".join(usages_of(f"react {name}", said, True) for name, said in declared.items())


def asks_for_nothing(game: Techniques, tables: Tables, name: str) -> bool:
    """Whether a technique can be done with no word behind its name."""
    act, asks = game.acts.get(name), tables.techniques[name].asks
    if not asks and isinstance(act, Declared):
        asks = asks_of(act.said)
    return all(ask.optional or ask.kind in HEARD for ask in map(read_ask, asks))


def _usage(game: Techniques, tables: Tables, name: str) -> str:
    """A row's command as it is written: `whirl TARGET [extend]`."""
    row = tables.techniques[name]
    again = _again(game, tables, row.does or Does())
    asked = map(_usage_of, map(read_ask, row.asks))
    return " ".join((name, *asked, *([f"[{' | '.join(again)}]"] if again else [])))


def _again(game: Techniques, tables: Tables, does: Does) -> list[str]:
    """What can be said of effects that are there already, of all that a row leaves."""
    left = [effect for effect in (does.inflict, does.bestow) if effect]
    return list(dict.fromkeys(how for effect in left for how in game.again(tables, effect)))


def _usage_of(ask: Ask) -> str:
    """An ask as a usage has it: TARGET, [ALLY], `this|that`, "WHAT"."""
    if ask.kind == "choice":
        said = "|".join(ask.options)
    elif ask.kind == "text":
        said = f'"{(ask.options or ("text",))[0].upper()}"'
    else:
        said = {SEVERAL: "TARGET[,TARGET]", "anyone": "NAME"}.get(ask.kind, ask.kind.upper())
    said = " ".join(part for part in (ask.before, said, ask.after) if part)
    return f"[{said}]" if ask.optional else said


# -- as the row says it ----------------------------------------------------------------------------


def _do_row(
    game: Techniques, name: str, ctx: Context, words: Words, who: Combatant, pay: Pay
) -> None:
    """Do what a technique's row says.

    What it inflicts is laid on those it asks for. What it bestows is laid on whoever does it, or on
    those it asks for where it inflicts nothing.

    Raises Refused for the dead, and for what can't be paid.
    """
    row = ctx.tables.techniques[name]
    does = row.does or Does()
    again = {how.split()[0] for how in _again(game, ctx.tables, does)}
    people, said = _read_asks(words, row, who, again)
    refuse_dead(people)
    pay()
    for track, amount in row.marks.items():
        game.mark(ctx, who.id, track, amount, row.name)
    for track, amount in does.recovers.items():
        game.mark(ctx, who.id, track, -amount, row.name)
    for effect in does.lifts:
        end_named(ctx, who.id, effect, does.says or row.name)
    asked, own = tuple(person.id for person in people), (who.id,)
    bestowed = own if does.inflict or not asked else asked
    done = [
        game.lay(ctx, words, effect, on, _placing(game, ctx, does, effect, who.id, on))
        for effect, on in ((does.inflict, asked), (does.bestow, bestowed))
        if effect and on and does.when in ("", *said)
    ]
    ctx.text = _told(row, who, people, said, done)


def _told(
    row: Technique, who: Combatant, people: list[Combatant], said: list[str], done: list[str]
) -> str:
    """What the log says: "Mira uses Whirl on Odo (loud): Odo is shaken", or as its row has it."""
    whom, how, came = names(people), ", ".join(said), ", ".join(done)
    if row.does is not None and row.does.says:
        told = f"{who.name} {row.does.says} {whom}".strip()
        return f"{told}: {how}" if how else told
    told = f"{who.name} uses {row.name}{f' on {whom}' if whom else ''}{f' ({how})' if how else ''}"
    return f"{told}: {came}" if came else told


def _placing(
    game: Techniques, ctx: Context, does: Does, effect: str, who: str, on: tuple[str, ...]
) -> Placing:
    """Until when, and from whom: on oneself from nobody, unless the effect's row looks at that."""
    row = rule_of(ctx.tables, effect)
    looks_at_it = row.breaks or row.ends_with_source or row.needs_source
    source = who if looks_at_it or on != (who,) else ""
    return Placing(_until(game, ctx.state, does, who), source=source)


def _until(game: Techniques, state: Encounter, does: Does, who: str) -> Duration | None:
    if does.ends == "start" or does.ends == "end":
        return game.next_turn(state, who, does.ends)
    if does.ends == "turn":
        return timing.present_turn(state, who)
    if does.ends:
        return Duration(does.ends)
    return turns(does.turns) if does.turns else None


def _read_asks(
    words: Words, row: Technique, who: Combatant, again: Collection[str]
) -> tuple[list[Combatant], list[str]]:
    """Read what the row asks for, in that order: whom it is done to, and what is said of it.

    A text that may be left out is none of the words with which it may go on (`again`); where there
    are none, what is asked for last is the rest of the line.
    """
    people: list[Combatant] = []
    said: list[str] = []
    asks = [read_ask(ask) for ask in row.asks]
    for ask in asks:
        for word in ask.before.split():
            words.take(word)
        if ask.kind in (*ONE, SEVERAL):
            people += _read_people(words, ask, row, who)
        elif ask.kind == "choice":
            read = partial(words.choice, listed(ask.options) if words.done else "a word to choose")
            taken = words.take(*ask.options) if ask.optional else read(ask.options)
            said += [taken] if taken else []
        elif not (ask.optional and (words.done or words.peek() in again)):
            first = str(words.next((ask.options or ("what it is",))[0]))
            is_last = ask is asks[-1] and not (again or ask.after)
            said.append(f"{first} {words.rest()}".strip() if is_last else first)
        for word in ask.after.split():
            words.take(word)
    return people, said


def _read_people(words: Words, ask: Ask, row: Technique, who: Combatant) -> list[Combatant]:
    """Read whom it is done to: `all` and the like leave its user out, unless it is for allies.
    Raises Refused for oneself, and for the dead, where it is for others."""
    what = {SEVERAL: "the targets", "anyone": "whom it is for"}.get(ask.kind, f"the {ask.kind}")
    if ask.optional and not words.is_people():
        return []
    if ask.kind == SEVERAL:
        among = standing(words.state, "" if row.targets == "allies" else who.id)
        return words.combatants(what, among)
    person = words.combatant(what)
    if ask.kind != "anyone" and not ask.optional:
        needs_another(who, person, f"use {row.name} on")
    return [person]


# -- ready and trigger -----------------------------------------------------------------------------

READIED = "readied"
"""The effect of whoever waits with something, and its kind: it is `because` of the technique's id,
its `note` has all of it in words, its `amount` how much was paid."""


class Terms(Struct, frozen=True):
    """What is readied, with all that is said of it then.

    name       the technique's id, or what else it is kept under
    called     how it is called: "Cast a Spell"
    of         what it is of, such as a spell, which is the effect's `type`
    subject    the same as paying has it (`acts.Pay`)
    cost       its price with these terms; None for its usual one
    modifiers  numbers that are said, which the effect keeps
    says       all of it in words
    """

    name: str = ""
    called: str = ""
    of: str = ""
    subject: str = ""
    cost: Cost | None = None
    modifiers: dict[str, int] = {}
    says: str = ""

    def __str__(self) -> str:
        """In words: "Cast a Spell (spark, 2 AP)"."""
        return f"{self.called} ({self.says})" if self.says else self.called


class Readying(Struct, frozen=True):
    """How a game lets actions be readied.

    read   reads what is readied, up to the trigger; empty terms where that is said when it is done
    pay    pays for it, and gives how much that was, for the effect to keep
    take   pays for doing it, when its trigger has come; raises Refused for who can't
    act    does it: the words are what is left of the command, the effect is what was readied
    """

    read: Callable[[Context, Words], Terms]
    pay: Callable[[Context, Combatant, Terms], int]
    take: Callable[[Context, Combatant], None]
    act: Callable[[Context, Words, Combatant, Effect], None]


def ready_verbs(
    game: Techniques, readying: Readying, usage: str, pays: str, takes: str
) -> tuple[Verb, Verb]:
    """`ready` and `trigger`; the texts say how the first is written, and what both come to."""
    usage_of_trigger = "trigger [what the technique asks for] [by NAME]"
    return (
        Verb("ready", f"{usage} [by NAME]", pays, partial(_ready, game, readying), True),
        Verb("trigger", usage_of_trigger, takes, partial(_trigger, readying), True),
    )


def do_readied(
    game: Techniques, ctx: Context, words: Words, who: Combatant, name: str, pay: Pay
) -> None:
    """Do a readied technique. Where words are missing, only that it goes off is said."""
    if name not in actions(ctx.tables):
        raise Refused(f"{who.name} has readied {name!r}, which is no technique")
    if words.done and not asks_for_nothing(game, ctx.tables, name):
        words.offered.extend(c.id for c in ctx.state.combatants)
        ctx.text = f"{who.name}'s readied {ctx.tables.techniques[name].name} goes off"
        return
    act_of(game, name)(ctx, words, who, pay)
    ctx.text += ", as readied"


def _ready(game: Techniques, readying: Readying, ctx: Context, words: Words) -> None:
    terms = readying.read(ctx, words)
    trigger = words.rest().strip()
    who = ctx.actor()
    if ctx.state.phase != "combat":
        raise Refused("an action can be readied only in a fight")
    if who.named(READIED) is not None:
        raise Refused(f"{who.name} has an action readied already")
    paid = readying.pay(ctx, who, terms)
    note = ": ".join(filter(None, (str(terms), trigger)))
    until, by = game.next_turn(ctx.state, who.id, "start"), Placing(source=who.id)
    kept = {"because": terms.name, "amount": paid, "type": terms.of, "modifiers": terms.modifiers}
    begin(ctx, who.id, READIED, until, by, kind=READIED, note=note, **kept)
    ctx.text = f"{who.name} readies {str(terms) or 'an action'}{f': {trigger}' if trigger else ''}"


def _trigger(readying: Readying, ctx: Context, words: Words) -> None:
    who = who_has(ctx, READIED, "an action readied", "readied")
    effect = who.named(READIED)
    if effect is None:
        raise Refused(f"{who.name} has nothing readied")
    words.take(effect.because)
    ctx.by = who.id
    readying.take(ctx, who)
    end(ctx, who.id, effect.id, "triggered")
    readying.act(ctx, words, ctx.state[who.id], effect)
