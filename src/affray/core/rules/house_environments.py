"""Whether a game plays by what a campaign's surroundings say."""

from __future__ import annotations

import re

from affray.core.language.refusal import Refused, listed
from affray.core.rules.checking import check_bounds, check_dice, check_words
from affray.core.rules.environments import EnvironmentRule, Happening, actions_of, features_of
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Tables

_ID = re.compile(r"[a-z]+(-[a-z0-9]+)*")
_LOWEST_RECHARGE, _SIDES = 2, 6


def check_environments(ruleset: Ruleset, more: Tables) -> None:
    """Raises Refused for the first row of a campaign that the game wouldn't play as it says."""
    if more.environments and not ruleset.reads.saves:
        raise Refused(f"[environments]: {ruleset.name} has no surroundings that do something")
    for key, row in more.environments.items():
        where = f"[environments.{key}]"
        _check_id(where, key)
        _check_unique(ruleset.tables, more, key, row)
        if row.actions.keys() & row.features.keys():
            both = listed(row.actions.keys() & row.features.keys(), "and")
            raise Refused(f"{where}: {both} can't be a feature and an action of the world's")
        for part, rows in (("features", row.features), ("actions", row.actions)):
            for name, each in rows.items():
                at = f"[environments.{key}.{part}.{name}]"
                _check_id(at, name)
                _check_row(ruleset, ruleset.tables.merged(more), at, each)
                _check_place(at, each, part)


def _check_id(where: str, name: str) -> None:
    if not _ID.fullmatch(name):
        raise Refused(
            f"{where}: no command could name it; its id must be words in small letters with - "
            "between, such as fat-fire"
        )


def _check_unique(own: Tables, more: Tables, key: str, row: EnvironmentRule) -> None:
    """Whatever is there can be used anywhere: no two may have one name."""
    others = {k: r for k, r in (own.environments | more.environments).items() if k != key}
    for name in (*row.features, *row.actions):
        if name in features_of(others) or name in actions_of(others):
            raise Refused(f"[environments.{key}]: {name!r} is there in other surroundings already")


def _check_row(ruleset: Ruleset, tables: Tables, where: str, row: Happening) -> None:
    _check_roll(ruleset, where, row)
    for field in ("amount", "geared"):
        check_dice(f"{where} {field}", getattr(row, field) or "0")
    if row.geared and not row.amount:
        raise Refused(f"{where} geared: there is no `amount` of which gear could keep some off")
    if row.resisted and not row.type:
        raise Refused(f"{where} resisted: there is no `type` that somebody could resist")
    check_words(f"{where} type", filter(None, [row.type]), tables.damage_types)
    check_words(f"{where} echoes", filter(None, [row.echoes]), tables.damage_types)
    check_words(f"{where} inflict", row.inflict, tables.effects)
    if row.until and not row.inflict:
        raise Refused(f"{where} until: there is nothing that `inflict` lays and that could end")
    if row.escape and not row.inflict:
        raise Refused(f"{where} escape: there is nothing that `inflict` lays to get out of")
    check_words(f"{where} marks", row.marks, ruleset.reads.marks)
    for track, amount in row.marks.items():
        check_bounds(f"{where} marks {track}", amount, 1, 99)
    if row.thrown and not row.amount:
        raise Refused(f"{where} thrown: there is no `amount` that a hit would deal")
    if row.rounds:
        check_bounds(f"{where} rounds", row.rounds, 1, 99)
    if row.recharge:
        check_bounds(f"{where} recharge", row.recharge, _LOWEST_RECHARGE, _SIDES)


def _check_roll(ruleset: Ruleset, where: str, row: Happening) -> None:
    known = ruleset.reads.saves
    check_words(f"{where} save", filter(None, [row.save]), known)
    if row.save and row.check:
        raise Refused(f"{where}: either `save` or `check`, not both")
    if row.check and len(row.check.split()) != 2:
        raise Refused(f"{where} check: expected an ability and a skill, such as wis perception")
    check_words(f"{where} check", row.check.split()[:1], known)
    if row.save or row.check or (row.dc and row.escape == "outcome"):
        check_bounds(f"{where} dc", row.dc, 1, 99)
    elif row.dc:
        raise Refused(f"{where} dc: there is no `save` or `check` that is made against it")


def _check_place(where: str, row: Happening, part: str) -> None:
    """Some of it means something only to the world's actions, some only to features."""
    features_only = ("echoes", "rounds", "difficult", "takes", "thrown")
    said = ("recharge",) if part == "features" else features_only
    for field in said:
        if getattr(row, field):
            kind = "features" if part == "actions" else "actions"
            raise Refused(f"{where} {field}: that is for {kind} alone")
