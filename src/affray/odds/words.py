"""The odds in words: for the command line and for the screen."""

from __future__ import annotations

from collections.abc import Iterator

from affray.core.heart.state import Combatant, Encounter
from affray.core.rules.tables import Tables
from affray.odds.figures import Estimate, Odds

LEAST_CHANGE = 0.5
"""What changes by less is not told."""


def words(state: Encounter, tables: Tables, odds: Odds) -> list[str]:
    """How likely each side is to stand at the end, how long it takes, and what becomes of each."""
    sides = (
        f"The party stands {_percent(odds.wins('party'))}, the foes {_percent(odds.wins('foes'))}"
    )
    undecided = odds.won[""]
    if undecided:
        sides += f", undecided {undecided / odds.played:.0%}"
    length = odds.length
    people = [c for c in state.combatants if c.side in ("party", "foes") and c.life == "up"]
    name = max((len(each.name) for each in people), default=0)
    chances = {each.id: _percent(odds.down(each.id)) for each in people}
    chance = max(map(len, chances.values()), default=0)
    idle = [f"{c.name} never attacks: {odds.idle[c.id]}." for c in people if c.id in odds.idle]
    return [
        f"{odds.played:,} fights from here on, in which all attack whoever has the fewest HP left.",
        f"{sides}; {length.value:.1f} ±{length.margin:.1f} rounds more.",
        "How often each is down then, and on average what is lost, or marked, until then:",
        *idle,
        "",
        *(
            f"{c.name:<{name}}  down {chances[c.id]:>{chance}}  {', '.join(_used(tables, odds, c))}"
            for c in people
        ),
    ]


def so_far(odds: Odds) -> str:
    """What is known while more are played, in a line: `120 fights: the party 62% ±9, ...`."""
    party, foes, length = odds.wins("party"), odds.wins("foes"), odds.length
    return (
        f"{odds.played:,} fights: the party {_percent(party)}, the foes {_percent(foes)}; "
        f"{length.value:.1f} ±{length.margin:.1f} rounds"
    )


def _percent(chance: Estimate) -> str:
    return f"{chance.value:.0%} ±{100 * chance.margin:.0f}"


def _used(tables: Tables, odds: Odds, who: Combatant) -> Iterator[str]:
    """What of somebody's tracks is used up or marked in the mean, but for what is of a turn alone,
    such as movement: that comes back."""
    for name in who.tracks:
        rule = tables.tracks.get(name)
        change = odds.change(who, name)
        if rule is not None and rule.carries and abs(change) >= LEAST_CHANGE:
            yield f"{rule.label} {change:+.1f}".replace("-", "−")
