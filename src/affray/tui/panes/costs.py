"""What a technique costs now and next, in words and in letters, and what was paid for one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from affray.core.heart.events import AnyEvent, Spent
from affray.core.rules.ruleset import Option
from affray.core.rules.tables import Tables, Technique, TrackRule

REACTION = "◆"


def common_track(tables: Tables) -> str:
    """The one track that everything costs, of which numbers alone are told; empty for several."""
    costs = {t for row in tables.techniques.values() if not row.reaction for t in row.cost}
    counted = {t for t in costs if tables.tracks[t].shown not in ("badge", "box")}
    return counted.pop() if len(counted) == len(costs) == 1 else ""


def cost_now(
    rules: Mapping[str, TrackRule],
    technique: Technique,
    option: Option,
    common: str = "",
    letters: bool = False,
) -> str:
    """`1→2`; with what is marked as well, `2 AP +1 Fat`, and in letters `2+1F`; `A→1 At` where the
    next is paid with something else."""
    also = {t: by for t, by in technique.marks.items() if t not in option.cost}
    prices = [*option.cost.items(), *also.items()]
    bare = letters or len(prices) == 1
    words = [
        str(by) if bare and track == common else _price(rules, track, by, letters)
        for track, by in prices
    ]
    later = [
        f"→{by}" if track in option.cost else f"→{_price(rules, track, by)}"
        for track, by in option.after.items()
        if by != option.cost.get(track)
    ]
    if technique.reaction and words == [REACTION]:
        return ""  # its name is marked so
    return ("" if letters else " ").join(words) + "".join(later[:1]) or "free"


def cost_in_words(rules: Mapping[str, TrackRule], cost: Mapping[str, int]) -> str:
    """`S` or `A 2 Fortune`: what something costs, each track with its name."""
    return " ".join(_price(rules, track, by) for track, by in cost.items())


def price_of(events: Iterable[AnyEvent], rules: Mapping[str, TrackRule]) -> list[str]:
    """What was paid in amounts, such as `3 AP`; that one acts goes without saying."""
    paid: dict[str, int] = {}
    for event in events:
        if isinstance(event, Spent):
            paid[event.track] = paid.get(event.track, 0) + event.by
    amounts = ((track, by) for track, by in paid.items() if track in rules)
    return [
        _price(rules, track, by)
        for track, by in amounts
        if rules[track].shown in ("pips", "boxes", "number") and not rules[track].passing
    ]


def _price(rules: Mapping[str, TrackRule], track: str, by: int, letters: bool = False) -> str:
    rule = rules.get(track)
    label = (rule.short or rule.label) if rule else track
    if rule is not None and rule.shown == "badge":
        return "◆" * by
    if rule is not None and rule.shown == "box":
        return label * by
    plus = "+" if rule is not None and rule.counts == "marked" else ""
    return f"{plus}{by}{label[0]}" if letters else f"{plus}{by} {label}"
