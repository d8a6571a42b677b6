"""The commands of the basic techniques: each by its name, and reactions behind `react`.

Seed 004: Basic Techniques, Reactions.
"""

from __future__ import annotations

from functools import partial

from affray.core.heart.decide import Context
from affray.core.heart.effects import rule_of
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.core.rules.tables import Tables
from affray.rulekit import acts, doing
from affray.rulekit.doing import Laying, Techniques
from affray.rulekit.placing import renew, until_for
from affray.rulesets.monsters_and_magic import conditions, tracks
from affray.rulesets.monsters_and_magic.action_points import ECONOMY
from affray.rulesets.monsters_and_magic.conditions import LASTING, Again
from affray.rulesets.monsters_and_magic.techniques import ACTIONS, REACTIONS, move

USAGE = {
    "cast": "cast SPELL [ap N] [at TARGET[,TARGET] OUTCOME [DAMAGE [TYPE]]]",
    "concentrate": "concentrate SPELL",
    "mount": "mount [MOUNT]",
    "move": "move [crawl]",
    "retrieve": "retrieve [ITEM] | retrieve swap",
    "use": "use [ITEM] [on NAME] [ap N]",
    "aid": "aid NAME bond N",
    "disengage": "disengage [fatigue 1|2]",
    "distract": "distract TARGET OUTCOME",
    "grapple": "grapple TARGET SAVE",
    "hide": "hide OUTCOME",
    "help": "help NAME bond N",
}


def _mark(ctx: Context, who: str, track: str, amount: int, what: str) -> None:
    """Mark a track for a technique, or clear marks by it where the amount is negative."""
    if amount < 0:
        tracks.clear_track(ctx, who, track, -amount, f"by {what}")
        return
    tracks.require(ctx, who, track, amount)
    tracks.mark_track(ctx, who, track, amount, f"for {what}")


_AGAIN = {
    "condition": ("extend", "detonate AMOUNT [TYPE]", "detonate fatigue"),
    "status": ("extend", "forward"),
}
"""What is said of one that is there already, by its kind."""


def _again(tables: Tables, effect: str) -> tuple[str, ...]:
    return _AGAIN.get(rule_of(tables, effect).kind, ())


def _lay(ctx: Context, words: Words, laying: Laying) -> str:
    again = conditions.read_again(ctx, words) if _again(ctx.tables, laying.name) else None
    return ", ".join(_lay_on(ctx, who, laying, again) for who in laying.people)


def _lay_on(ctx: Context, who: str, laying: Laying, again: Again | None) -> str:
    kind = rule_of(ctx.tables, laying.name).kind
    if kind in _AGAIN:
        return conditions.lay(ctx, who, laying.name, laying.placing, again)
    until = until_for(LASTING, ctx, who, laying.placing, laying.name)
    renew(ctx, who, laying.name, until, source=laying.placing.source)
    return f"{ctx.state.name(who)} is {laying.name}"


TECHNIQUES = Techniques(
    ECONOMY,
    _lay,
    ACTIONS,
    REACTIONS,
    USAGE,
    _mark,
    _again,
)


def _react(ctx: Context, words: Words) -> None:
    name = words.choice("a reaction", doing.reactions(ctx.tables))
    doing.do(TECHNIQUES, name, ctx, words)


def _stand(ctx: Context, words: Words) -> None:
    who = ctx.actor()
    if who.named("prone") is None:
        raise Refused(f"{who.name} is not prone")
    move(ctx, words, who, acts.payer(ECONOMY, ctx, who.id, "move"))


_dismount = partial(doing.do, TECHNIQUES, "mount")


def technique_verbs(tables: Tables) -> tuple[Verb, ...]:
    """A command for each technique of the tables, and those that are another way to say one."""
    return (
        *doing.verbs(TECHNIQUES, tables),
        Verb("stand", "stand [by NAME]", "stands up with the technique move", _stand, True),
        Verb("dismount", "dismount [by NAME]", "the technique mount, to get off", _dismount, True),
        Verb(
            "react",
            f"{doing.reaction_usages(TECHNIQUES)} | react retaliate TARGET [by NAME]",
            "takes a reaction",
            _react,
            True,
        ),
    )
