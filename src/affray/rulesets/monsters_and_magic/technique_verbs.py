"""The commands of the basic techniques: each by its name, and reactions behind `react`.

Seed 004: Basic Techniques, Reactions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.doing import all_in_rows
from affray.core.rules.ruleset import Verb
from affray.rulesets.monsters_and_magic import action_points
from affray.rulesets.monsters_and_magic.house_rules import act_of
from affray.rulesets.monsters_and_magic.techniques import ACTIONS, REACTIONS, move

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

USAGE = {
    "cast": "cast SPELL [ap N] [at TARGET[,TARGET] OUTCOME [DAMAGE [TYPE]]]",
    "concentrate": "concentrate SPELL",
    "mount": "mount [MOUNT]",
    "move": "move [crawl]",
    "retrieve": "retrieve [ITEM] | retrieve swap",
    "strike": "strike TARGET OUTCOME [DAMAGE [TYPE] | fatigue]",
    "use": "use [ITEM] [on NAME] [ap N]",
    "aid": "aid NAME bond N",
    "disengage": "disengage [fatigue 1|2]",
    "distract": "distract TARGET OUTCOME",
    "dodge": "dodge",
    "grapple": "grapple TARGET SAVE",
    "hide": "hide OUTCOME",
    "help": "help NAME bond N",
    "regroup": "regroup",
}


def _payer(ctx: Context, who: str, name: str) -> action_points.Pay:
    """How a technique is paid that is used at once."""

    def pay(cost: dict[str, int] | None = None, subject: str = "") -> None:
        action_points.pay(ctx, who, name, cost, subject)

    return pay


def _verb(name: str) -> Verb:
    def run(ctx: Context, words: Words) -> None:
        who = ctx.actor()
        ACTIONS[name](ctx, words, who, _payer(ctx, who.id, name))

    return Verb(name, f"{USAGE[name]} [by NAME]", f"the technique {name}", run, True)


def _react(ctx: Context, words: Words) -> None:
    name = words.choice("a reaction", [*REACTIONS, *all_in_rows(ctx.tables, reaction=True)])
    who = ctx.actor()
    act = REACTIONS.get(name) or act_of(name)
    act(ctx, words, who, _payer(ctx, who.id, name))


def _stand(ctx: Context, words: Words) -> None:
    who = ctx.actor()
    if who.named("prone") is None:
        raise Refused(f"{who.name} is not prone")
    move(ctx, words, who, _payer(ctx, who.id, "move"))


TECHNIQUE_VERBS = (
    *(_verb(name) for name in ACTIONS),
    Verb("stand", "stand [by NAME]", "stands up with the technique move", _stand, True),
    Verb(
        "dismount",
        "dismount [by NAME]",
        "the technique mount, to get off",
        _verb("mount").run,
        True,
    ),
    Verb(
        "react",
        "react opportunity-attack TARGET OUTCOME [DAMAGE [TYPE]] [by NAME] | "
        "react retaliate TARGET [by NAME]",
        "takes a reaction",
        _react,
        True,
    ),
)
