"""Items of Foundry's system a5e: features and objects with their actions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from affray.core.rules.imported import Attack, Damage, Feature, Save, Sort
from affray.store.importing import feature_text
from affray.store.importing.attack_text import at_a_run, save_of
from affray.store.importing.feature_text import LEGENDARY, feature
from affray.store.importing.foundry_items import Numbers, dice_of, value_of
from affray.store.importing.values import clean, number, one_line, table, within

SORTS: dict[str, Sort] = {
    "action": "action",
    "bonusAction": "bonus",
    "reaction": "reaction",
    "legendaryAction": "legendary",
}
RANGES = {"touch": 5, "fiveFeet": 5, "short": 30, "medium": 60, "long": 120}
"""Level Up's words for how far."""
HEADED = 2
"""How many actions with a text of their own make an item a heading."""


def features(items: list[dict[str, Any]], numbers: Numbers) -> Iterator[Feature]:
    """What an actor can do: features and weapons. The basic maneuvers are everybody's."""
    named = {feature(item.get("name"), "", "trait").name.casefold() for item in items}
    for item in items:
        data = table(item.get("system"))
        is_weapon = item.get("type") == "object" and data.get("objectType") == "weapon"
        if item.get("type") == "feature" or is_weapon:
            made, *others = _several(item, data, numbers, is_weapon)
            yield made
            yield from others
            if made.name == LEGENDARY:  # some tell in its text alone what they can do
                told = feature_text.features(made.name, made.text, "legendary")
                known = named | {row.name.casefold() for row in others}
                yield from (row for row in told[1:] if row.name.casefold() not in known)


def _several(
    item: dict[str, Any], data: dict[str, Any], numbers: Numbers, is_weapon: bool
) -> Iterator[Feature]:
    """What an item is: one feature, or those of which its text offers one, or behind a heading
    those that its actions tell of."""
    whole = _feature(item, data, numbers, is_weapon)
    often = {"uses": whole.uses, "per": whole.per, "recharge": whole.recharge}
    pool = whole.name if whole.uses or whole.recharge else ""
    offered = feature_text.features(item.get("name"), whole.text, whole.sort)
    if len(offered) > 1 and offered[0].name != LEGENDARY:
        yield from (replace(row, pool=pool, **often) for row in offered)
        return
    actions = list(filter(None, map(table, table(data.get("actions")).values())))
    if is_weapon or sum(bool(clean(row.get("description"))) for row in actions) < HEADED:
        yield whole
        return
    text = clean(data.get("description"))
    heading = Feature(whole.name, "trait", text, trigger=whole.trigger)
    is_count = whole.name == LEGENDARY  # its uses are how many there are in a round
    yield heading if is_count else replace(heading, **often)
    for row in actions:
        name = one_line(row.get("name")).removeprefix("Legendary Action: ")
        own = {
            **data,
            **{key: row.get(key) for key in ("description", "uses")},
            "actions": {0: row},
        }
        made = _feature({"name": name}, own, numbers, is_weapon=False)
        is_limited = made.uses or made.recharge or is_count
        yield made if is_limited else replace(made, pool=pool, **often)


def _feature(
    item: dict[str, Any], data: dict[str, Any], numbers: Numbers, is_weapon: bool
) -> Feature:
    actions = [row for row in table(data.get("actions")).values() if isinstance(row, dict)]
    said = [str(within(row, "activation", "type")) for row in actions]
    sort: Sort = next((SORTS[kind] for kind in said if kind in SORTS), "trait")
    if data.get("featureType") == "legendaryAction":
        sort = "legendary"
    rolls = [row for action in actions for row in table(action.get("rolls")).values()]
    asks = [row for action in actions for row in table(action.get("prompts")).values()]
    attack = next((table(row) for row in rolls if table(row).get("type") == "attack"), None)
    sort = "action" if sort == "trait" and (attack is not None or is_weapon) else sort
    text = _text(data, actions)
    rolled = _attack(attack, actions, numbers) if attack is not None else None
    made = feature(item.get("name"), _of_the_attack(text) if is_weapon else text, sort, rolled)
    dealt = tuple(_damage(rolls, numbers, _ability(attack, numbers) if attack else ""))
    if made.attack is not None:
        dealt, asks = _of_each_hit(text, dealt, asks)
    if made.attack is not None and made.attack == rolled and dealt:
        made = replace(made, damage=tuple(part for part in dealt if part not in made.failed))
    asked = next((found for row in asks if (found := _save(table(row), numbers))), None)
    halves = any("half" in str(table(row).get("onSave")).casefold() for row in asks)
    if made.save is None and asked is not None:
        made = replace(made, save=replace(asked, half=halves))
    elif made.save is not None and halves and made.failed and len(asks) == 1:
        made = replace(made, save=replace(made.save, half=True))
    if made.save is not None and made.attack is None and not made.failed:
        made = replace(made, damage=(), failed=dealt)
    if data.get("requiresBloodied"):
        made = replace(made, trigger="while bloodied")
    return replace(made, text=text, **_limits(table(data.get("uses"))))


def _of_each_hit(
    text: str, dealt: tuple[Damage, ...], asks: list[Any]
) -> tuple[tuple[Damage, ...], list[Any]]:
    """Parts of the damage, and prompts, without those that belong to a hit after a run."""
    every, after = at_a_run(" ".join(text.split()))
    if "extra" in after:
        said = re.findall(r"[\dd+-]+", every.replace(" ", ""))
        dealt = (*dealt[:1], *(part for part in dealt[1:] if part.dice in said))
    return dealt, [] if save_of(after) else asks


def _text(data: dict[str, Any], actions: list[dict[str, Any]]) -> str:
    """What an item says, and what its actions say besides."""
    text = clean(data.get("description"))
    for row in actions:
        said = clean(row.get("description"))
        text = text if said in text else f"{text}\n{said}".strip()
    return text


def _of_the_attack(text: str) -> str:
    """The sentence of a weapon's attack, without what its properties mean."""
    return re.split(r"\n(?=[A-Z][\w ,\-()/]*\.)", text)[0]


def _attack(row: dict[str, Any], actions: list[dict[str, Any]], numbers: Numbers) -> Attack:
    how = str(row.get("attackType"))
    is_spell, is_ranged = "Spell" in how, how.startswith("ranged")
    ability = _ability(row, numbers)
    bonus = value_of(row.get("bonus"), numbers) or 0
    proficient = 0 if row.get("proficient") is False else numbers.proficiency
    total = numbers.modifier(ability) + proficient + bonus
    near, far, long, *_ = [*_ranges(actions), 0, 0, 0]
    if is_ranged:
        return Attack(total, reach="ranged", feet=near, long=far, spell=is_spell)
    reach = "both" if far else "melee"
    return Attack(total, reach=reach, feet=near, far=far, long=long, spell=is_spell)


def _ability(row: dict[str, Any], numbers: Numbers) -> str:
    """What an attack is rolled with; what is left open goes by the sort of attack."""
    how, ability = str(row.get("attackType")), one_line(row.get("ability"))
    if ability in (*numbers.modifiers, "finesse", "spellcasting"):
        return ability
    return "spellcasting" if "Spell" in how else "dex" if how.startswith("ranged") else "finesse"


def _ranges(actions: list[dict[str, Any]]) -> Iterator[int]:
    """All distances that are said, in the order in which they stand: `fiveFeet`, `20/60 ft.`."""
    for action in actions:
        for row in table(action.get("ranges")).values():
            said = str(table(row).get("range"))
            yield from [RANGES[said]] if said in RANGES else map(int, re.findall(r"\d{1,4}", said))


def _damage(rolls: list[Any], numbers: Numbers, ability: str) -> Iterator[Damage]:
    """Parts of the damage; `@mod` in one is the modifier of the attack's ability."""
    dealt = [row for row in map(table, rolls) if row.get("type") == "damage"]
    for row in [*dealt[:1], *(row for row in dealt[1:] if row.get("default") is not False)]:
        if said := dice_of(row.get("formula"), numbers, ability):
            yield Damage(said, one_line(row.get("damageType")))


def _save(row: dict[str, Any], numbers: Numbers) -> Save | None:
    ability = one_line(row.get("ability"))
    if row.get("type") != "savingThrow" or ability not in numbers.modifiers:
        return None
    own = table(row.get("saveDC"))
    dc = value_of(own.get("bonus"), numbers) if own.get("type") == "custom" else None
    if dc is None and own.get("type") == "spellcasting":
        dc = 8 + numbers.proficiency + numbers.modifier("spellcasting")
    return Save(ability, dc) if dc else None


def _limits(uses: dict[str, Any]) -> dict[str, Any]:
    face = number(within(uses, "recharge", "threshold"), 2, 6)
    times = number(uses.get("max"), 1, 99)
    per = one_line(uses.get("per"))
    is_filled_in = face == 6 and not per  # many an entry has that which says nothing of the kind
    if per == "recharge" or (face and not times and not is_filled_in):
        return {"recharge": face, "uses": 0, "per": ""} if face else {}
    if times:
        known = {"shortRest": "rest", "longRest": "day", "day": "day", "round": "round"}
        return {"uses": times, "per": known.get(per, "day")}
    return {}
