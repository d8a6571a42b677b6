"""A trait or an action from its name and its text, as stat blocks of 5e and Level Up have them."""

from __future__ import annotations

import re
from typing import Any

from affray.core.rules.imported import Attack, Feature, Sort
from affray.store.importing.attack_text import (
    attack_of,
    damage_of,
    hit_of,
    inflictions_of,
    save_of,
)
from affray.store.importing.values import clean, one_line

_RECHARGE = re.compile(r"recharge (\d)(?:\s?[-–−]?\s?6)?", re.IGNORECASE)
_USES = re.compile(
    r"(\d{1,2}) ?/ ?(day|rest|turn|round|short|long|encounter|battle)", re.IGNORECASE
)
_REST = re.compile(r"recharges? after a (short|long)", re.IGNORECASE)
_COST = re.compile(r"costs? (\d) actions?", re.IGNORECASE)
_BRACKETS = re.compile(r"\s*\(([^()]*)\)")
PER = {"short": "rest", "long": "day", "battle": "encounter"}


def feature(name: Any, text: Any, sort: Sort, known: Attack | None = None) -> Feature:
    """What a name and a text say. `known` is an attack roll that the file has apart from them."""
    told = one_line(name)
    words = clean(text)
    flat = " ".join(words.split())
    made = Feature(_bare(told), sort, words)
    attack = attack_of(flat) or known
    hit = hit_of(flat) if attack is not None else ""
    found = save_of(hit or flat) if sort != "trait" else None
    save, before, behind = found if found else (None, hit, "")
    uses, per, recharge, cost = limits(told)
    return Feature(
        name=made.name or "Action",
        sort=sort,
        text=words,
        attack=attack,
        damage=damage_of(before) if attack is not None else (),
        inflicts=inflictions_of(before) if attack is not None else (),
        save=save,
        failed=damage_of(behind) if save is not None else (),
        binds=inflictions_of(behind) if save is not None else (),
        uses=uses,
        per=per,
        recharge=recharge,
        cost=cost,
    )


def limits(name: str) -> tuple[int, str, int, int]:
    """Uses, per what, the face that recharges, and the cost, from the brackets of a name."""
    uses = _USES.search(name)
    rest = _REST.search(name)
    recharge = _RECHARGE.search(name)
    cost = _COST.search(name)
    per = uses[2].casefold() if uses else ("rest" if rest and rest[1].casefold() == "short" else "")
    per = per or ("day" if rest else "")
    times = int(uses[1]) if uses else (1 if rest else 0)
    face = int(recharge[1]) if recharge else 0
    return times, PER.get(per, per), face if 2 <= face <= 6 else 0, int(cost[1]) if cost else 1


def _bare(name: str) -> str:
    """The name without what the brackets say of how often it can be used."""

    def kept(match: re.Match[str]) -> str:
        said = match[1]
        limited = (
            _USES.search(said) or _REST.search(said) or _RECHARGE.search(said) or _COST.search(said)
        )
        return "" if limited else match[0]

    return _BRACKETS.sub(kept, name).strip(" .:") or name


def limits_told(row: Feature) -> str:
    """`3/day`, `recharge 5`, `2 actions`, as a stat block says it behind the name."""
    said = [
        f"{row.uses}/{row.per or 'day'}" if row.uses else "",
        f"recharge {row.recharge}" if row.recharge else "",
        f"{row.cost} actions" if row.cost > 1 else "",
    ]
    return ", ".join(filter(None, said))
