"""What the situation adds up to, forwards, and charges that are held.

A forward is a bonus that the next fitting roll uses up.

Monsters & Magic, Conditions & Statuses; Fatigue & Exhaustion; Armor Class; Ongoing, Forward, and
Hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from affray.core.engine import durations
from affray.core.engine.effects import remove_effect
from affray.core.engine.events import EffectChanged, TrackChanged
from affray.core.engine.state import Combatant, Effect, Encounter, Kind, Track
from affray.core.formatting.media import IN_WRITING, SPOKEN, Notation
from affray.core.formatting.safe_text import hyphenate
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.errors import Refused, close_matches, join_or
from affray.core.parser.prompt_fields import ANY_MORE
from affray.core.rules.campaign_tables import check_dice, require_in_range, require_known_words
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import OWN_KINDS, Tables, Weight
from affray.mechanics import powers, sheet as shared_sheet, stats
from affray.mechanics.sheet import SIZES, Sheet, SheetFieldGroup, TrackInput
from affray.mechanics.stats import CombatantSituation, StatPart, StatRule, StatRules
from affray.rulesets.monsters_and_magic import bonds, gear, sheet
from affray.rulesets.monsters_and_magic.sheet import ABILITIES, are_ids, attacks_of, cantrips_of

FORWARD = "forward"


MOST_MARKS = 30
"""The marks of exhaustion from which on nothing gets worse: a log edited by hand may have any."""


def exhaustion_penalty(tables: Tables, combatant: Combatant) -> int:
    """The penalty to all checks: −1 a mark for monsters; 0, −1, −1, −2, −3 ... for characters,
    beyond the table each the sum of the two before it."""
    marks = combatant.track("exhaustion")
    if combatant.kind != "pc":
        return -marks
    marks = min(max(0, marks), MOST_MARKS)
    row: list[int] = [0, *tables.economy["pc_exhaustion_penalty"]]
    while len(row) <= marks:
        row.append(row[-1] + row[-2])
    return row[marks]


def _own_checks(situation: CombatantSituation, total: str) -> list[StatPart]:
    penalty = exhaustion_penalty(situation.tables, situation.who)
    tired = [StatPart(penalty, "exhaustion", of="exhaustion")] if penalty else []
    return [*tired, *gear.unproficient_parts(situation)]


WAYS = ("fly", "climb", "swim", "burrow")
"""Kinds of speed besides that on the ground (Monsters & Magic, Movement)."""


def has_way(combatant: Combatant, way: str) -> bool:
    """True if somebody has a speed of that kind, with its feet."""
    feet = combatant.stats.get(way)
    return isinstance(feet, int) and not isinstance(feet, bool)


def _own_way(situation: CombatantSituation, total: str) -> list[StatPart]:
    return [StatPart(situation.who.number(total), f"own {total} speed", of=total)]


def _load(situation: CombatantSituation, total: str) -> list[StatPart]:
    return gear.load_parts(situation.tables, situation.who)


def _capacity(situation: CombatantSituation, total: str) -> list[StatPart]:
    return gear.capacity_parts(situation.tables, situation.who)


_WAY = StatRule(_own_way, ("speed",), bent_by="speed", least=0, whose=has_way)
NUMBERS = StatRules(
    {
        "check": StatRule(_own_checks),
        "attack": StatRule(_own_checks, ("check", "attack")),  # an attack is a check too
        "ac": StatRule(gear.armor_parts, least=0),
        "speed": StatRule(stats.own_number, bent_by="speed", least=0),
        **dict.fromkeys(WAYS, _WAY),
        "load": StatRule(_load, whose=gear.keeps_gear),
        "capacity": StatRule(_capacity, least=0, whose=gear.keeps_gear),
    },
    once=("condition", "status", "stance", "opening", "place", *OWN_KINDS),
    apart=(FORWARD,),
    spent=("opening",),
)
"""The modifiers to checks and attacks; AC and speed whole."""
situation_of = partial(stats.situation_in_command, NUMBERS)


class Numbers(stats.StatNumbers):
    """The numbers that the situation changes."""

    penalty = staticmethod(exhaustion_penalty)


def use_up(
    ctx: Context,
    combatant_id: str,
    kind: str,
    used: Sequence[Effect] = (),
    tags: Sequence[str] = (),
) -> None:
    """End effects that somebody's check, attack or number has used up, and its forwards."""
    for effect in used:
        remove_effect(ctx, combatant_id, effect.id, "used")
    kinds = ("check", "attack") if kind == "attack" else (kind,)
    stats.use_up(ctx, NUMBERS, combatant_id, kinds, [*scopes_of(tags)])


def can_dodge(ctx: Context, combatant: Combatant) -> bool:
    """True if somebody can act and has a speed above 0, which Dodge needs to work."""
    situation = situation_of(ctx, combatant)
    return "stunned" not in situation.force and stats.stat_value(situation, "speed") > 0


# -- forwards --------------------------------------------------------------------------------------


ROLLS = ("attack", "save", "initiative", "death")
EVERY = "check"
"""The scope of bonuses to every check."""
DAMAGE, SPEED = "damage", "speed"
NO_CHECKS = ("ac", SPEED, DAMAGE)
"""The targets of a bonus besides checks: damage that affray rolls, for one."""
SCOPES = (EVERY, *ROLLS, *ABILITIES, *NO_CHECKS)
PREPARED, PREPARED_BONUS = "prepared", 2
SHORTEST_SLIP = 3
"""Words of fewer letters look like too many others."""


def scope_of(words: str) -> str:
    """The rolls that words speak of: `saving throws with cunning` is "cunning save".

    That is a kind of roll, an ability, or both; empty where the words name neither. The damage of
    an attack is "damage".
    """
    parts = [word.strip("s,.") for word in words.casefold().replace("saving", "save").split()]
    rolls = [kind for word in parts for kind in (*ROLLS, *NO_CHECKS) if word == kind.strip("s")]
    if DAMAGE in rolls:
        return DAMAGE
    abilities = [name for word in parts for name in ABILITIES if word == name]
    every = [EVERY] if EVERY in parts and not (rolls or abilities) else []
    return " ".join([*abilities[:1], *rolls[:1], *every])


def refuse_slip_of_scope(note: str) -> None:
    """Raises Refused for words that name no roll, if one looks like a misspelt roll: otherwise they
    would count for any check."""
    if scope_of(note):
        return
    for word in note.split():
        near = close_matches(word, (*SCOPES, *_ALIKE), 0.75) if len(word) >= SHORTEST_SLIP else []
        if near:
            raise Refused(f"{word!r} is not a roll; did you mean {join_or(near)}?")


_ALIKE = ("checks", "attacks", "saves", "saving")
"""Other words for scopes."""
_BETWEEN = ("roll", "rolls", "throw", "throws")
"""The words that may come between and after them: `saving throws with cunning`."""


def _read_scope(reading: ParseState) -> str:
    """Read the rolls that a bonus is for: `attack`, `save cunning`,
    `"saving throws with cunning"`."""
    tokens = reading.words

    def take_spoken(*choices: str) -> str:  # these are understood, and not offered
        return "" if tokens.done else tokens.take(*choices)

    if tokens.upcoming.quoted and " " in tokens.peek():
        text = str(tokens.next("the roll or number it changes"))
        scope = scope_of(text)
        if not scope:
            tokens.back()
            raise tokens.refuse(f"expected the roll or number it changes, found {text!r}", SCOPES)
        return scope
    while take_spoken("to", "all", "the", "your"):
        pass
    text = take_spoken(*_ALIKE) or tokens.choice("the roll or number it changes", SCOPES)
    while more := tokens.take(*SCOPES) or take_spoken(*_ALIKE, *_BETWEEN):
        text += f" {more}"
        if tokens.peek() == "with" and tokens.peek(1) in ABILITIES:
            tokens.next("an ability")
    return scope_of(text)


SCOPE = Argument(
    _read_scope, "check|attack|save|initiative|ABILITY|ac|speed|damage", field=ANY_MORE
)
"""Which rolls something is for."""


def scopes_of(tags: Sequence[str]) -> set[str]:
    """The scopes that a roll with these tags falls under: `save`, `cunning`, "cunning save"."""
    abilities = [tag for tag in tags if tag in ABILITIES]
    return {*tags, *(f"{ability} {tag}" for ability in abilities for tag in tags)}


def fitting(roller: Combatant, tags: Sequence[str], prepared: bool = False) -> list[Effect]:
    """The forwards that a roll with these tags uses up; `prepared` too, when it was called on."""
    scopes = scopes_of(tags)
    found = [e for e in roller.effects if e.kind == "forward" and scopes & e.modifiers.keys()]
    status = roller.named(PREPARED) if prepared else None
    return [*found, *([status] if status else [])]


def forward_part(used: Effect) -> StatPart:
    """The bonus of a forward, or of being prepared, to the roll that uses it up."""
    if used.name == PREPARED:
        return StatPart(PREPARED_BONUS, PREPARED)
    note = f" ({used.note})" if used.note else ""
    return StatPart(sum(used.modifiers.values()), f"{FORWARD}{note}")


# -- charges ---------------------------------------------------------------------------------------


def spend_charges(ctx: Context, combatant: Combatant, name: str, amount: int) -> None:
    """Spend charges, those that end first before the others."""
    have = combatant.track(name)
    if have < amount:
        raise Refused(f"{combatant.name} holds {have} {name}, not {amount}")
    ctx.emit(TrackChanged(combatant.id, name, -amount))
    timed = [e for e in combatant.effects if e.kind == "hold" and e.type == name]
    position = durations.end_positions(ctx.state)
    for held in sorted(timed, key=lambda effect: position(effect.until)):
        spent = min(amount, held.amount)
        amount -= spent
        if spent:
            left = replace(held, amount=held.amount - spent)
            ctx.emit(EffectChanged(combatant.id, left, "spent"))
            if not left.amount:
                remove_effect(ctx, combatant.id, held.id, "spent")


# -------------------------------------------------------------------------------------------------
# A combatant's own numbers: what `add` understands, the tracks that come of it, how it is told;
# and rows of gear that a campaign adds.
#
# The structs that a sheet is made of are in `sheet`.
#
# Monsters & Magic, Abilities, Proficiencies, Hit Points, Fatigue & Exhaustion, Threads of Fate,
# Senses.

SENSES = ("low-light", "darkvision", "tremorsense", "blindsight", "truesight")
"""The senses; the tables say what each does (`economy.senses`, `economy.finds`)."""
LISTS = ("resist", "vulnerable", "immune")


def _gear(row: SheetFieldGroup, table: str = "", several: bool = False) -> SheetFieldGroup:
    """The row of a sheet, for what may go by the id of a row of a `table`, which says what isn't
    said here. Commas part the ids of several such rows; with `several`, any names."""

    def reads(reading: ParseState, word: str) -> list[dict[str, Any]]:
        rows: Mapping[str, Struct] = getattr(reading.ctx.tables, table) if table else {}
        [value] = row.reads(reading, word)
        first, named = next(iter(value.items()))
        has_several = several or are_ids(named, rows)
        names = [name.strip() for name in named.split(",")] if has_several else [named]
        remaining = []
        for name in names:
            usual = rows.get(hyphenate(name))
            remaining.append((to_builtins(usual) if usual else {}) | value | {first: name})
        return remaining

    return replace(row, reads=reads)


GEAR_ROWS = (
    _gear(
        shared_sheet.struct_fields("attack", sheet.Attack, "attack NAME DICE TYPE ..."), "weapons"
    ),
    _gear(shared_sheet.struct_fields("armor", sheet.Armor, stat=sheet.ARMOR), "armor"),
    _gear(shared_sheet.struct_fields("item", sheet.Item, stat=sheet.ITEMS), "items", several=True),
    shared_sheet.struct_fields("spells", sheet.Cantrip, stat=sheet.SPELLS),
    shared_sheet.struct_fields("talent", sheet.Talent, stat=sheet.TALENTS),
    shared_sheet.list_fields(
        sheet.PROFICIENT, what="a kind of weapon or armour after {}", usage=""
    ),
)
"""The fields that `gear` gives to somebody here, as `add` does."""
ROWS = (
    shared_sheet.hp_field(),
    shared_sheet.number_fields("ac", low=-20),
    *shared_sheet.only_for_kind(
        "pc",
        shared_sheet.number_fields(*ABILITIES, low=-20),
        shared_sheet.number_fields("pb", low=0),
        shared_sheet.number_fields("spell", low=-20, usage=""),
        shared_sheet.track_fields("threads", "xp", usage=""),
    ),
    *shared_sheet.only_for_kind(
        "monster",
        shared_sheet.number_fields("cr", low=0),
        shared_sheet.flag_fields("important", usage=""),
    ),
    *shared_sheet.only_for_kind("hazard", shared_sheet.number_fields("init")),
    shared_sheet.number_fields("speed", low=0),
    shared_sheet.track_fields("fatigue", "exhaustion", usage="[fatigue N] [exhaustion N]"),
    shared_sheet.number_fields(sheet.GOLD, low=0, high=999_999, usage=""),
    _gear(shared_sheet.struct_fields("loadout", sheet.Loadout, stat=sheet.LOADOUTS), several=True),
    shared_sheet.kind_fields(*LISTS, usage=""),
    shared_sheet.flag_fields("trained", usage=""),
    shared_sheet.length_fields(*WAYS, *SENSES, usage=""),
    shared_sheet.argument_field("size", arguments.choice_arg("a size", SIZES), usage=""),
    *GEAR_ROWS,
    powers.power_fields(sheet.POWERS, sheet.Power, None, sheet.POWERS),
    shared_sheet.WHEN_FIELD,
    shared_sheet.struct_fields("bond", bonds.Bond, None, bonds.BONDS),
    shared_sheet.struct_fields(bonds.REPUTATION, bonds.ReputationRow, None, bonds.REPUTATION),
)
"""The fields of a sheet, as `add` takes them."""
ALIKE = {"tier": "pb"}
"""Other words for the same: PB is 1 in the first tier of play, and 1 more in each further."""


class Sheets(shared_sheet.FieldSheet):
    """Sheets: the words of `add`, and how they are shown."""

    aliases = ALIKE

    def groups(self, tables: Tables) -> tuple[SheetFieldGroup, ...]:
        return ROWS

    def complete(
        self, ctx: Context, kind: str, own: Sheet
    ) -> tuple[dict[str, Any], dict[str, Track]]:
        stats = _defaults(ctx, kind) | own.stats
        loadouts = stats.get(sheet.LOADOUTS, [])
        if loadouts and not any(row.get("drawn") for row in loadouts):
            loadouts[0]["drawn"] = True
        gear.refuse_impossible(ctx, Combatant("", "the sheet", "party", cast(Kind, kind), stats))
        return stats, _tracks(ctx, kind, own)

    def labels(
        self, state: Encounter, combatant: Combatant, how: Notation = IN_WRITING
    ) -> dict[str, str]:
        """The lists of a sheet in words, by stat; nothing of those that are empty."""
        by_name = sheet.talents_of(combatant).values()
        talents = [
            f"{each.name} {how.signed(sheet.talent_bonus(combatant, each))}" for each in by_name
        ]
        lists = {
            bonds.BONDS: ("Bonds", [b.in_words(how) for b in bonds.bonds_of(combatant)]),
            bonds.REPUTATION: (
                "Reputation",
                [r.in_words(how) for r in bonds.standings_of(combatant)],
            ),
            sheet.SPELLS: ("Knows", [each.in_words(how) for each in cantrips_of(combatant)]),
            sheet.TALENTS: ("Talents", talents),
        }
        words = (shared_sheet.format_row(row, how=how) for row in attacks_of(combatant))
        attacks = shared_sheet.format_attacks(sheet.ATTACKS, words, how)
        values = {
            stat: f"{label} {'; '.join(rows)}" for stat, (label, rows) in lists.items() if rows
        }
        return attacks | values | _gear_lines(combatant, how)

    def carried(self, combatant: Combatant, how: Notation = IN_WRITING) -> list[str]:
        """List its items, with the number of each."""
        return [how.counted(item.name, item.count) for item in sheet.items_of(combatant)]

    def check_gear(self, tables: Tables, more: Tables) -> None:
        """Raises Refused for the first impossible row of a campaign."""
        for name, armor in more.armor.items():
            where = f"[armor.{name}]"
            require_known_words(f"{where} kind", (armor.kind,), tables.economy[sheet.ARMOR])
            require_in_range(f"{where} ac", armor.ac, 0, MOST)
            _weighs(where, armor.weight)
        conditions = sheet.names_of(tables, "condition")
        for name, weapon in more.weapons.items():
            where = f"[weapons.{name}]"
            if weapon.dice or sheet.FOCUS not in weapon.tags:
                check_dice(f"{where} dice", weapon.dice)
            require_known_words(f"{where} tags", weapon.tags, sheet.TAGS)
            require_known_words(f"{where} inflicts", weapon.inflicts, conditions)
            require_in_range(f"{where} range", weapon.range, 0, MOST_FEET)
            _weighs(where, weapon.weight)
        for name, item in more.items.items():
            require_in_range(f"[items.{name}] ap", item.ap, 0, sheet.MOST_AP)
            _weighs(f"[items.{name}]", item.weight)


def _defaults(ctx: Context, kind: str) -> dict[str, Any]:
    """The numbers of a new sheet. A character's PB starts at 1."""
    if kind == "hazard":  # it has a body only if its sheet says so
        return {}
    own = dict.fromkeys((*ABILITIES, "spell"), 0) | {"pb": 1} if kind == "pc" else {"cr": 0}
    return {"ac": 0, "speed": int(ctx.tables.economy["speed"])} | own


def _tracks(ctx: Context, kind: str, args: Sheet) -> dict[str, Track]:
    given, economy = args.tracks, ctx.tables.economy
    if "hp" not in given:
        return {}
    tracks = {"hp": given["hp"].left, "temp_hp": Track(0)}
    for name in ("ap", "reaction"):
        tracks[name] = Track(economy[name], economy[name])
    for name in ("fatigue", "exhaustion"):
        tracks[name] = given.get(name, TrackInput(None, economy[name])).marked
    if kind == "pc":
        threads = args.stats.get("pb", 1)
        had = given["threads"].max if "threads" in given else threads
        tracks["threads"] = Track(min(had, threads), threads)
        tracks["xp"] = Track(given["xp"].max if "xp" in given else 0)
    if kind == "pc" or args.stats.get("important"):
        tracks["deathsaves"] = Track(0, economy["deathsaves"])
    return tracks


# -- what is told of them --------------------------------------------------------------------------


def _gear_lines(combatant: Combatant, how: Notation) -> dict[str, str]:
    """Describe what somebody wears, holds and carries, by stat; empty without gear."""
    have = sheet.loadouts_of(combatant)
    drawn = gear.loadout_in_hand(combatant)
    items = sheet.items_of(combatant)
    held = gear.held_items(combatant)
    hand = [how.counted(item.name, item.hand) for item in items if item.hand] + held
    left = [(i.name, i.count - i.hand - (hyphenate(i.name) in held)) for i in items]
    stowed = [how.counted(name, count) for name, count in left if count > 0]
    away = [str(each) for each in have if each is not drawn]
    worn = [
        each.name for each in gear.protecting(combatant) if each.ac and each.kind != sheet.SHIELD
    ]
    return {
        sheet.ARMOR: f"Wears {join_or(worn, 'and')}" if worn else "",
        sheet.LOADOUTS: _rows(
            how, ("In hand", [str(drawn)] if drawn else ["nothing"]), ("away", away)
        ),
        sheet.ITEMS: _rows(how, ("At hand", hand), ("stowed", stowed)),
        sheet.HELD: "",
    }


def _rows(how: Notation, *rows: tuple[str, Sequence[str]]) -> str:
    between = how.between if how.medium == SPOKEN else " · "
    text = between.join(f"{label} {', '.join(names)}" for label, names in rows if names)
    return text[:1].upper() + text[1:]


def weapons_of(combatant: Combatant) -> list[str]:
    """The names of its attacks that can be made now, its usual one first; of none that asks for a
    save."""
    ready = (attack for attack in attacks_of(combatant) if gear.is_ready(combatant, attack))
    return [attack.name for attack in ready if attack.save is None]


def spells_of(combatant: Combatant) -> list[str]:
    """The names of its spells: those it attacks with, and those it knows the price of, plain and
    with each charm."""
    found = [attack.name for attack in attacks_of(combatant) if attack.is_spell]
    for cantrip in cantrips_of(combatant):
        found += [cantrip.name, *(f"{cantrip.name}, {charm.name}" for charm in cantrip.charms)]
    return list(dict.fromkeys(found))


# -- rows of gear that a campaign adds -------------------------------------------------------------

MOST, MOST_FEET = 99, 9_999


def _weighs(where: str, weight: Weight) -> None:
    if isinstance(weight, int) and abs(weight) > MOST:
        raise Refused(f"{where} weight: must be from {-MOST} to {MOST}, or light, not {weight}")
