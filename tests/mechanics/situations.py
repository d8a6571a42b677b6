"""People with effects on them, in a game of a few rows: what numbers and reasons are tested on."""

from affray.core.engine.state import Combatant, Duration, Effect, Encounter
from affray.core.rules.tables import read_tables
from affray.mechanics.stats import StatPart, StatRule, StatRules, situation, stack_by_type

ROWS = {
    "shaken": {"modifiers": {"attack": -2}},
    "afraid": {"implies": ["shaken"]},
    "slow": {"speed": "half"},
    "quick": {"speed": "double"},
    "stuck": {"speed": "none"},
    "dragging": {"halves": ["speed", "damage"]},
    "mired": {"at_most": {"speed": 10}},
    "stony": {"forbids": ["run"]},
    "unseen": {"advantage": ["attack"], "suffers": {"disadvantage": "always"}},
    "down": {"disadvantage": ["attack"], "suffers": {"advantage": "near", "disadvantage": "far"}},
    "fooled": {"suffers": {"advantage": "source"}},
    "exposed": {"kind": "opening", "suffers": {"advantage": "always"}},
    "helped": {"kind": "opening", "advantage": ["check"]},
}


NUMBERS = StatRules(
    {
        "attack": StatRule(),
        "check": StatRule(),
        "notice": StatRule(kinds=("notice", "check"), one_of=True),
        "ac": StatRule(lambda here, total: [StatPart(here.who.number("ac"), "own AC")], least=0),
        "speed": StatRule(
            lambda here, total: [StatPart(here.who.number("speed", 30), "own speed")],
            bent_by="speed",
            least=0,
        ),
        "wings": StatRule(
            lambda here, total: [StatPart(here.who.number("wings"), "own wings")],
            ("wings", "speed"),
            bent_by="speed",
            whose=lambda who, total: total in who.stats,
        ),
        "pace": StatRule(
            lambda here, total: [StatPart(here.who.number("pace"), "own pace")],
            bent_by="speed",
            step=5,
            whose=lambda who, total: total in who.stats,
        ),
    },
    once=("condition", "opening"),
    apart=("token",),
    spent=("opening",),
    counted=stack_by_type,
)
TABLES = read_tables({"effects": ROWS})


def effect(name, **more):
    """An effect of that name as it would be laid, with what is said of it."""
    row = TABLES.effects.get(name)
    kind = more.pop("kind", row.kind if row else "modifier")
    modifiers = more.pop("modifiers", row.modifiers if row else {})
    effect_id = more.pop("id", name)
    return Effect(effect_id, name, kind, modifiers=modifiers, **more)


def modifier(effect_id, modifiers, **more):
    """A modifier as a GM gives one, with an id of its own."""
    return effect("modifier", id=effect_id, modifiers=modifiers, **more)


USED = Duration("use")


def person(who, *effects, **stats):
    """Somebody with these effects and numbers."""
    return Combatant(who, who.capitalize(), "party", "pc", stats=stats, effects=effects)


def here(*effects, **stats):
    """Mira's situation with these effects and numbers; Odo and Pell are there as well."""
    mira = person("mira", *effects, **stats)
    return of(mira)


def of(who, tables=TABLES):
    """Somebody's situation, in a fight with Odo and Pell."""
    state = Encounter(combatants=(who, person("odo"), person("pell")))
    return situation(NUMBERS, tables, state, who)
