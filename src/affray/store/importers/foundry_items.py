"""Items of Foundry's actors, of its systems dnd5e and a5e, as features (`dnd5e_features`,
`a5e_features`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedDamage,
    ImportedFeature,
    ImportedSave,
    Sort,
)
from affray.store.importers import attack_text, feature_text, own_saves
from affray.store.importers.act_names import parse_usage
from affray.store.importers.attack_text import at_a_run
from affray.store.importers.feature_text import (
    LEGENDARY,
    parse_feature,
    parse_features,
    save_of,
)
from affray.store.importers.foundry_formulas import (
    LONG,
    NO_ABILITY,
    ActorNumbers,
    TextReferences,
    dice_of,
    spelled_out,
    usual_dc,
    value_of,
    with_activities,
)
from affray.store.importers.values import (
    Table,
    get_path,
    to_clean_text,
    to_int,
    to_one_line,
    to_table,
    to_tables,
)

# -------------------------------------------------------------------------------------------------
# dnd5e: weapons and feats with their activities.

SORTS: dict[str, Sort] = {
    "action": "action",
    "bonus": "bonus",
    "reaction": "reaction",
    "legendary": "legendary",
    "mythic": "mythic",
    "lair": "lair",
}
PERIODS = {"day": "day", "lr": "day", "sr": "rest", "dawn": "day", "turn": "turn", "round": "round"}


def dnd5e_features(items: list[Table], numbers: ActorNumbers) -> Iterator[ImportedFeature]:
    """The features of an actor: feats and weapons, not what it only carries."""
    names = {str(item.get("_id")): to_one_line(item.get("name")) for item in items}
    for item in items:  # an activity that casts a spell is called by the spell
        if cast := to_one_line(get_path(item, "flags", "dnd5e", "cachedFor")):
            names[cast.rpartition(".")[2]] = to_one_line(item.get("name"))
    for item in items:
        if item.get("type") in ("feat", "weapon"):
            yield from _features(item, numbers, names)


_NAMED_SORT = re.compile(r"\((reaction|bonus action)\b", re.IGNORECASE)
"""In the name of an item without an activation what it takes: `Shield (Reaction)`."""


_LABEL = re.compile(r"[^.()\n]{0,60}\([^()\n]{1,40}\)")
"""A name with brackets that begins a text: `Salvo (Recharge 4-6). The scion ...`."""


def _features(
    item: Table, numbers: ActorNumbers, names: dict[str, str]
) -> Iterator[ImportedFeature]:
    """The features of an item: one, or those that its text offers a choice of."""
    data = with_activities(to_table(item.get("system")), to_one_line(item.get("type")))
    found = _without_a_roll(_numbered(data, numbers, names), item)
    activations = [str(get_path(row, "activation", "type")) for row in found.rows.values()]
    sort: Sort = next((SORTS[kind] for kind in activations if kind in SORTS), "trait")
    if item.get("type") == "weapon" and sort == "trait" and found.attacks:
        sort = "action"
    if sort == "trait" and (named := _NAMED_SORT.search(str(item.get("name")))):
        sort = "bonus" if named[1].casefold().startswith("bonus") else "reaction"
    text = spelled_out(get_path(data, "description", "value"), found)
    limits = _limits_of(data, found.rows, numbers)
    label = _LABEL.match(to_clean_text(text))
    if "recharge" in limits and label and (face := parse_usage(label[0]).recharge):
        limits = {**limits, "recharge": face}
    flat = " ".join(to_clean_text(text).split())
    after = at_a_run(attack_text.hit_of(flat) or flat)[1]
    is_apart = own_saves.is_own_save(text) or bool(save_of(after)) or _asks_for_a_check(flat)
    saves = {} if is_apart else {key: save for key, save in found.saves.items() if save.ability}
    asked = next(iter(saves.values()), None)
    key = next(iter(found.attacks), None)
    rolled = found.attacks[key] if key is not None else None
    feature, *others = offered = parse_features(item.get("name"), text, sort, rolled, asked)
    if others:
        pool = to_one_line(item.get("name")) if limits else ""
        yield from (replace(row, pool=pool, **limits) for row in offered)
        return
    if key is not None:
        apart, dealt = attack_text.damage_apart(text), found.dealt[key]
        dealt = tuple(part for part in dealt if part.dice not in apart)
        is_told = attack_text.attack_of(flat) is not None or bool(re.search(r"\bHit:", flat))
        damage = feature.damage
        if not is_told or not damage or (len(damage) < len(dealt) and damage[0] != dealt[0]):
            damage = dealt  # the text has only a part of it in so many words
        feature = replace(feature, damage=damage)
        failed = [part.dice for part in feature.failed]
        if not is_told and failed and failed == [part.dice for part in damage]:
            feature = replace(feature, attack=None, damage=())  # it is saved against, not rolled
    if (key := next(iter(saves), None)) is not None and feature.save is None:
        feature = replace(feature, save=saves[key])
    if key is not None and feature.save == saves[key] and not feature.failed:
        feature = replace(feature, failed=found.dealt[key])
    costs = (to_int(get_path(row, "activation", "value"), 2, 9) for row in found.rows.values())
    cost = next(filter(None, costs), feature.cost) if sort == "legendary" else feature.cost
    yield replace(feature, cost=cost, **limits)


def _asks_for_a_check(text: str) -> bool:
    """True if the DC of an item is that of a check with which somebody gets free, and no save."""
    return "sav" not in text.casefold() and _FREES_ITSELF.search(text) is not None


_FREES_ITSELF = re.compile(r"\baction\b[^.]{0,90}?\bDC \d{1,2} [a-z() ]{3,40}? check\b", re.I)


def _without_a_roll(found: TextReferences, item: Table) -> TextReferences:
    """The activities of an item, without the rolls that its sheet gives to a feature that takes
    nothing of a turn and whose text speaks of none."""
    takes = (get_path(row, "activation", "type") for row in found.rows.values())
    if item.get("type") != "feat" or any(kind not in LONG for kind in takes):
        return found
    text = to_clean_text(get_path(found.data, "description", "value")).casefold()
    is_rolled = not text or "attack" in text or "hit" in text
    is_saved = not text or "sav" in text
    return replace(
        found,
        attacks=found.attacks if is_rolled else {},
        saves=found.saves if is_saved else {},
    )


def _limits_of(data: Table, rows: dict[str, Table], numbers: ActorNumbers) -> Table:
    """The limits on the use of an item: its own, else those of its only activity."""
    limits = limits_of_use(to_table(data.get("uses")), numbers)
    own = [limits_of_use(to_table(row.get("uses")), numbers) for row in rows.values()]
    return limits or (own[0] if len(own) == 1 else {})


def _numbered(data: Table, numbers: ActorNumbers, names: dict[str, str]) -> TextReferences:
    """The activities of an item, with their numbers."""
    activities = {
        key: row for key, row in to_table(data.get("activities")).items() if to_table(row)
    }
    attacks: dict[str, ImportedAttack] = {}
    saves: dict[str, ImportedSave] = {}
    dealt: dict[str, tuple[ImportedDamage, ...]] = {}
    healed: dict[str, tuple[ImportedDamage, ...]] = {}
    for key, row in activities.items():
        if row.get("type") == "attack":
            attacks[key], ability = _foundry_dnd5e_attack(row, data, numbers)
            dealt[key] = tuple(_foundry_dnd5e_damage(row, data, numbers, ability))
        else:
            dealt[key] = tuple(_parts(row, numbers, _ability_of_save(row)))
            if row.get("type") == "heal":
                healed[key] = tuple(_part(to_table(row.get("healing")), numbers, ""))
            if row.get("type") == "save" and (
                save := _foundry_dnd5e_save(row, numbers, dealt[key])
            ):
                saves[key] = save
    return TextReferences(data, numbers, activities, attacks, saves, dealt, healed, names)


def _foundry_dnd5e_attack(
    row: Table, data: Table, numbers: ActorNumbers
) -> tuple[ImportedAttack, str]:
    own = to_table(row.get("attack"))
    kind = get_path(own, "type", "value") or _kind_of_weapon(data)
    is_spell = get_path(own, "type", "classification") == "spell"
    ability = to_one_line(own.get("ability"))
    if ability not in numbers.modifiers and ability != NO_ABILITY:
        ability = _usual_ability(data, str(kind), is_spell)
    bonus = value_of(own.get("bonus"), numbers) or 0
    more = to_int(data.get("magicalBonus"), 0, 9) or 0
    more += (
        value_of(numbers.bonuses.get(f"{_ROLLS[kind == 'ranged', is_spell]} attack"), numbers) or 0
    )
    trained = 0 if data.get("proficient") in (0, False) else numbers.proficiency
    total = bonus if own.get("flat") else numbers.modifier(ability) + trained + bonus + more
    reach, far, long = (_distance(row, data, where) for where in ("reach", "value", "long"))
    if kind == "ranged":
        return ImportedAttack(
            total, reach="ranged", feet=far or reach, long=long, spell=is_spell
        ), ability
    is_either = not get_path(own, "type", "value") and get_path(data, "range", "reach")
    if far and (is_either or "thr" in (data.get("properties") or ())):
        near = ImportedAttack(
            total, reach="both", feet=reach or 5, far=far, long=long, spell=is_spell
        )
        return near, ability
    return ImportedAttack(total, feet=reach or far or 5, spell=is_spell), ability


_ROLLS = {
    (False, False): "mwak", (True, False): "rwak", (False, True): "msak", (True, True): "rsak",
}  # fmt: skip
"""What Foundry calls attack rolls: whether it is ranged, and whether it is a spell."""


def _kind_of_weapon(data: Table) -> str:
    """True if a weapon is for melee or ranged, if its activity leaves it open."""
    kind = to_one_line(get_path(data, "type", "value"))
    if kind in ("simpleM", "martialM", "natural", "simpleR", "martialR"):
        return "ranged" if kind.endswith("R") else "melee"
    return "ranged" if get_path(data, "range", "long") else "melee"


def _distance(row: Table, data: Table, where: str) -> int:
    """A distance of an activity, or else of its item."""
    own, whole = to_table(row.get("range")), to_table(data.get("range"))
    first, other = (own, whole) if own.get("override") is not False else (whole, own)
    return to_int(first.get(where), 1) or to_int(other.get(where), 1) or 0


def _usual_ability(data: Table, kind: str, is_spell: bool) -> str:
    if is_spell:
        return "spellcasting"
    if "fin" in (data.get("properties") or ()) or get_path(data, "type", "value") == "natural":
        return "finesse"  # Foundry takes the better one for what a body is armed with as well
    return "dex" if kind == "ranged" else "str"


def _foundry_dnd5e_damage(
    row: Table, data: Table, numbers: ActorNumbers, ability: str
) -> Iterator[ImportedDamage]:
    base = to_table(get_path(data, "damage", "base"))
    if get_path(row, "damage", "includeBase") is not False:
        is_body = get_path(data, "type", "value") == "natural"
        is_spell = get_path(row, "attack", "type", "classification") == "spell"
        for part in _part(base, numbers, ability):
            has_modifier = "@mod" in str([base.get("bonus"), get_path(base, "custom", "formula")])
            more = 0 if has_modifier or (is_body and is_spell) else numbers.modifier(ability)
            more += to_int(data.get("magicalBonus"), 0, 9) or 0
            yield replace(part, dice=_with_more(part.dice, more)) if "d" in part.dice else part
    yield from _parts(row, numbers, ability)


def _with_more(dice: str, more: int) -> str:
    """Dice with a number added: `1d6+1` and 2 is `1d6+3`."""
    found = re.fullmatch(r"(.*?)([+-]\d+)?", dice)
    rolled, flat = (found[1], int(found[2] or 0) + more) if found else (dice, more)
    return f"{rolled}{flat:+d}" if flat else rolled


def _parts(row: Table, numbers: ActorNumbers, ability: str) -> Iterator[ImportedDamage]:
    for each in to_tables(get_path(row, "damage", "parts")):
        yield from _part(each, numbers, ability)


def _part(row: Table, numbers: ActorNumbers, ability: str) -> Iterator[ImportedDamage]:
    custom = to_table(row.get("custom"))
    count, faces = to_int(row.get("number"), 1, 99), to_int(row.get("denomination"), 1, 100)
    formula = custom.get("formula") if custom.get("enabled") else None
    if not formula and count and faces:
        formula = f"{count}d{faces} + {row.get('bonus') or 0}"
    formula = formula or row.get("bonus")
    dice = dice_of(formula, numbers, ability) if formula else ""
    kinds = row.get("types") if isinstance(row.get("types"), list) else []
    if dice:
        yield ImportedDamage(dice, to_one_line(kinds[0]) if kinds else "")


def _ability_of_save(row: Table) -> str:
    """The ability for its DC, and for `@mod` in its damage: that of the save unless the file names
    another."""
    by = to_one_line(get_path(row, "save", "dc", "calculation"))
    return by if by not in ("", "initial", "flat") else _saved_with(row)


def _saved_with(row: Table) -> str:
    value = get_path(row, "save", "ability")
    return to_one_line(value[0] if isinstance(value, list) and value else value)


def _foundry_dnd5e_save(
    row: Table, numbers: ActorNumbers, failed: tuple[ImportedDamage, ...]
) -> ImportedSave | None:
    """A saving throw; its DC is a number, or 8 with proficiency and an ability."""
    ability, by = _saved_with(row), _ability_of_save(row)
    formula = get_path(row, "save", "dc", "formula")
    dc = value_of(dice_of(formula, numbers, by), numbers)
    calculation = to_one_line(get_path(row, "save", "dc", "calculation"))
    if calculation in numbers.modifiers or calculation == "spellcasting":
        dc = usual_dc(numbers, by)  # a formula beside it is left over
    elif not formula:
        dc = usual_dc(numbers, NO_ABILITY)
    if (ability and ability not in numbers.modifiers) or not dc:
        return None
    return ImportedSave(ability, dc, bool(failed) and get_path(row, "damage", "onSave") == "half")


def limits_of_use(uses: Table, numbers: ActorNumbers) -> Table:
    """Return the limits of use of an `ImportedFeature`: `uses` and `per`, or `recharge`."""
    times = to_int(value_of(uses.get("max"), numbers), 1, 99)
    for row in to_tables(uses.get("recovery")):
        period = str(row.get("period"))
        if period == "recharge":
            return {"recharge": to_int(row.get("formula"), 2, 6) or 6}
        if times and period in PERIODS:
            return {"uses": times, "per": PERIODS[period]}
    return {"uses": times, "per": "day"} if times else {}


# -------------------------------------------------------------------------------------------------
# a5e: features and objects with their actions.

FOUNDRY_A5E_SORTS: dict[str, Sort] = {
    "action": "action",
    "bonusAction": "bonus",
    "reaction": "reaction",
    "legendaryAction": "legendary",
}
RANGES = {"touch": 5, "fiveFeet": 5, "short": 30, "medium": 60, "long": 120}
"""Level Up's words for how far."""
HEADED = 2
"""How many actions with a text of their own make an item a heading."""


def a5e_features(items: list[Table], numbers: ActorNumbers) -> Iterator[ImportedFeature]:
    """The features of an actor: features and weapons, without the basic maneuvers that everybody
    has."""
    named = {parse_feature(item.get("name"), "", "trait").name.casefold() for item in items}
    for item in items:
        data = to_table(item.get("system"))
        is_weapon = item.get("type") == "object" and data.get("objectType") == "weapon"
        if item.get("type") == "feature" or is_weapon:
            feature, *others = _several(item, data, numbers, is_weapon)
            yield feature
            yield from others
            if feature.name == LEGENDARY:  # some tell in its text alone what they can do
                offered = feature_text.parse_features(feature.name, feature.text, "legendary")
                named_already = named | {row.name.casefold() for row in others}
                yield from (row for row in offered[1:] if row.name.casefold() not in named_already)


def _several(
    item: Table, data: Table, numbers: ActorNumbers, is_weapon: bool
) -> Iterator[ImportedFeature]:
    """The features of an item: one, or those that its text offers a choice of, or a heading with
    those of its actions."""
    whole = _feature(item, data, numbers, is_weapon)
    often, pool = whole.limits, whole.name if whole.is_limited else ""
    offered = feature_text.parse_features(item.get("name"), whole.text, whole.sort)
    if len(offered) > 1 and offered[0].name != LEGENDARY:
        yield from (replace(row, pool=pool, **often) for row in offered)
        return
    actions = list(filter(None, map(to_table, to_table(data.get("actions")).values())))
    if is_weapon or sum(bool(to_clean_text(row.get("description"))) for row in actions) < HEADED:
        yield whole
        return
    text = to_clean_text(data.get("description"))
    heading = ImportedFeature(whole.name, "trait", text, trigger=whole.trigger)
    is_count = whole.name == LEGENDARY  # its uses are how many there are in a round
    yield heading if is_count else replace(heading, **often)
    for row in actions:
        name = to_one_line(row.get("name")).removeprefix("Legendary Action: ")
        own = {
            **data,
            **{key: row.get(key) for key in ("description", "uses")},
            "actions": {0: row},
        }
        feature = _feature({"name": name}, own, numbers, is_weapon=False)
        yield feature if feature.is_limited or is_count else replace(feature, pool=pool, **often)


def _feature(item: Table, data: Table, numbers: ActorNumbers, is_weapon: bool) -> ImportedFeature:
    actions = [row for row in to_table(data.get("actions")).values() if isinstance(row, dict)]
    activations = [str(get_path(row, "activation", "type")) for row in actions]
    sort: Sort = next(
        (FOUNDRY_A5E_SORTS[kind] for kind in activations if kind in FOUNDRY_A5E_SORTS), "trait"
    )
    if data.get("featureType") == "legendaryAction":
        sort = "legendary"
    rolls = [row for action in actions for row in to_table(action.get("rolls")).values()]
    asks = [row for action in actions for row in to_table(action.get("prompts")).values()]
    attack = next((to_table(row) for row in rolls if to_table(row).get("type") == "attack"), None)
    sort = "action" if sort == "trait" and (attack is not None or is_weapon) else sort
    text = _text(data, actions)
    arms = data.get("weaponProperties") or ()
    ability = _ability(attack, numbers, arms) if attack is not None else ""
    rolled = _foundry_a5e_attack(attack, actions, numbers, ability) if attack is not None else None
    dealt = tuple(_foundry_a5e_damage(rolls, numbers, ability))
    if rolled is not None:
        dealt, asks = _of_each_hit(text, dealt, asks)
    asked = next(
        (found for row in asks if (found := _foundry_a5e_save(to_table(row), numbers))), None
    )
    feature = parse_feature(
        item.get("name"), _PROPERTIES.split(text)[0] if is_weapon else text, sort, rolled, asked
    )
    if feature.attack is not None and feature.attack == rolled and dealt:
        hit = feature.damage if re.search(r"\bHit: ?\d", text) else ()
        is_more = len(dealt) > len(hit) and dealt[: len(hit)] == hit
        feature = replace(
            feature,
            damage=tuple(part for part in dealt if part not in feature.failed)
            if not hit or is_more
            else hit,
        )
    halves = any(
        re.search(r"\bhal(?:f|ve)", str(to_table(row).get("onSave")).casefold()) for row in asks
    )
    if feature.save is None and asked is not None:
        feature = replace(feature, save=replace(asked, half=halves))
    if feature.save is not None and feature.attack is None and not feature.failed:
        feature = replace(feature, damage=(), failed=dealt)
    if feature.save is not None and halves and feature.failed and len(asks) == 1:
        feature = replace(feature, save=replace(feature.save, half=True))
    if data.get("requiresBloodied"):
        feature = replace(feature, trigger="while bloodied")
    return replace(feature, text=text, **_foundry_a5e_limits(to_table(data.get("uses"))))


def _of_each_hit(
    text: str, dealt: tuple[ImportedDamage, ...], asks: list[Any]
) -> tuple[tuple[ImportedDamage, ...], list[Any]]:
    """Parts of the damage, and prompts, without those that belong to a hit after a run."""
    every, after = at_a_run(" ".join(text.split()))
    if "extra" in after:
        words = re.findall(r"[\dd+-]+", every.replace(" ", ""))
        dealt = (*dealt[:1], *(part for part in dealt[1:] if part.dice in words))
    return dealt, [] if save_of(after) else asks


def _text(data: Table, actions: list[Table]) -> str:
    """The text of an item with that of its actions."""
    text = to_clean_text(data.get("description"))
    for row in actions:
        label = to_clean_text(row.get("description"))
        is_said = label in text or label == "No description available."
        text = text if is_said else f"{text}\n{label}".strip()
    return re.sub(r"#(\w+) (?=\1\b)", "", text)


_PROPERTIES = re.compile(
    r"\n(?!(?:The|This|That|If|Each|On|When|Whenever|A|An|It|Until) )"
    r"(?=[A-Z][\w ,\-()/]{0,60}\.)"
)


def _foundry_a5e_attack(
    row: Table, actions: list[Table], numbers: ActorNumbers, ability: str
) -> ImportedAttack:
    how = str(row.get("attackType"))
    is_spell, is_ranged = "Spell" in how, how.startswith("ranged")
    bonus = value_of(row.get("bonus"), numbers) or 0
    proficient = 0 if row.get("proficient") is False else numbers.proficiency
    total = numbers.modifier(ability) + proficient + bonus
    near, far, long, *_ = [*_ranges(actions), 0, 0, 0]
    if is_ranged:
        return ImportedAttack(total, reach="ranged", feet=near, long=far, spell=is_spell)
    reach = "both" if far else "melee"
    return ImportedAttack(total, reach=reach, feet=near, far=far, long=long, spell=is_spell)


def _ability(row: Table, numbers: ActorNumbers, arms: Iterable[str]) -> str:
    """The ability of an attack roll; if left open, by the kind of attack and the weapon's
    properties."""
    how, ability = str(row.get("attackType")), to_one_line(row.get("ability"))
    if ability in (*numbers.modifiers, "finesse", "spellcasting", NO_ABILITY):
        return ability
    if "Spell" in how:
        return "spellcasting"
    is_ranged = how.startswith("ranged")
    if ("thrown" if is_ranged else "finesse") in arms:
        return "finesse"
    return "dex" if is_ranged else "str"


def _ranges(actions: list[Table]) -> Iterator[int]:
    """All distances in a text, in order: `fiveFeet`, `20/60 ft.`."""
    for action in actions:
        for row in to_table(action.get("ranges")).values():
            text = str(to_table(row).get("range"))
            yield from [RANGES[text]] if text in RANGES else map(int, re.findall(r"\d{1,4}", text))


def _foundry_a5e_damage(
    rolls: list[Any], numbers: ActorNumbers, ability: str
) -> Iterator[ImportedDamage]:
    """Parts of the damage; `@mod` in one is the modifier of the attack's ability."""
    dealt = [row for row in map(to_table, rolls) if row.get("type") == "damage"]
    for row in [*dealt[:1], *(row for row in dealt[1:] if row.get("default") is not False)]:
        if dice := dice_of(row.get("formula"), numbers, ability):
            yield ImportedDamage(dice, to_one_line(row.get("damageType")))


def _foundry_a5e_save(row: Table, numbers: ActorNumbers) -> ImportedSave | None:
    ability = to_one_line(row.get("ability"))
    if row.get("type") != "savingThrow" or ability not in numbers.modifiers:
        return None
    own = to_table(row.get("saveDC"))
    by, more = to_one_line(own.get("type")), value_of(own.get("bonus"), numbers)
    usual = 8 + numbers.proficiency + (more or 0)
    if by == "spellcasting":
        more = usual + numbers.modifier(by) + _plain(numbers, "spellDC")
    elif by == "maneuver":
        more = usual + numbers.modifier("finesse") + _plain(numbers, "maneuverDC")
    elif by in numbers.modifiers:
        more = usual + numbers.modifier(by)
    return ImportedSave(ability, more) if more else None


def _plain(numbers: ActorNumbers, name: str) -> int:
    return value_of(numbers.bonuses.get(name), numbers) or 0


def _foundry_a5e_limits(uses: Table) -> Table:
    face = to_int(get_path(uses, "recharge", "threshold"), 2, 6)
    times = to_int(uses.get("max"), 1, 99)
    per = to_one_line(uses.get("per"))
    is_filled_in = face == 6 and not per  # many entries have it without meaning that
    if per == "recharge" or (face and not times and not is_filled_in):
        return {"recharge": face, "uses": 0, "per": ""} if face else {}
    if times:
        spans = {"shortRest": "rest", "longRest": "day", "day": "day", "round": "round"}
        return {"uses": times, "per": spans.get(per, "day")}
    return {}
