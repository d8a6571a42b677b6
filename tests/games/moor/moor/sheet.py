"""The sheet: HP, three abilities, armour, attacks, and another program's creature."""

from typing import Annotated, Any

from msgspec import Struct

from affray.core.engine.state import Combatant, Track
from affray.core.parser import arguments
from affray.core.rules.imported_creature import ImportedCreature, ImportResult, unused_fields
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics import sheet
from affray.mechanics.import_creature import known_numbers, quoted
from affray.mechanics.stats import StatRule, StatRules, own_number

ABILITIES = ("str", "dex", "wil")
USUAL = 10
STATS = StatRules({"armour": StatRule(own_number)})


class Attack(Struct, frozen=True):
    """`attack sword 1d8`."""

    name: Annotated[str, arguments.name_arg("the attack's name")]
    dice: Annotated[str, arguments.dice_arg("its damage")]


def attacks_of(combatant: Combatant) -> dict[str, Attack]:
    """The attacks of a sheet by their names, the usual one first."""
    return {row.name: row for row in sheet.stat_rows(combatant, "attacks", Attack)}


class Sheets(sheet.FieldSheet):
    """`hp 4 str 12 dex 9 wil 8 armour 1 attack sword 1d8`."""

    def groups(self, tables: Tables) -> tuple[sheet.SheetFieldGroup, ...]:
        return (
            sheet.hp_field(),
            sheet.track_fields(*ABILITIES),
            sheet.number_fields("armour", low=0),
            sheet.struct_fields("attack", Attack, None, "attacks"),
        )

    def complete(
        self, ctx: Context, kind: str, words: sheet.Sheet
    ) -> tuple[dict[str, Any], dict[str, Track]]:
        stats, tracks = super().complete(ctx, kind, words)
        if "hp" not in tracks:
            return stats, tracks
        usual = {ability: Track(USUAL, USUAL) for ability in ABILITIES}
        return {"armour": 0, **stats}, {**usual, **tracks, "action": Track(1, 1)}

    def columns(self, tables: Tables) -> tuple[str, ...]:
        return (*ABILITIES, "armour")

    def import_creature(self, tables: Tables, creature: ImportedCreature) -> ImportResult:
        """Take what a list says in the game's own words, and the dice of attacks."""
        numbers = known_numbers(creature, *self.columns(tables))
        hits = {f.name: f for f in creature.features if f.damage and f.attack is not None}
        attacks = [f"{quoted(name)} {f.damage[0].dice}" for name, f in hits.items()]
        row = {"hp": creature.hp, **numbers} | ({"attack": attacks} if attacks else {})
        left = unused_fields(creature, ("HP", *numbers), tuple(hits.values()))
        return ImportResult(row, left, tuple(hits.values()), ("attack",) if attacks else ())
