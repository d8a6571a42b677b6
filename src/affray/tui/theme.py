"""Colours: three themes of our own, and the styles that widgets draw with in any theme.

Colour only repeats what a glyph or a word says already, so each theme may be as quiet as it likes.
"""

from __future__ import annotations

from msgspec import Struct
from rich.style import Style
from textual.theme import Theme

from affray.core.engine.state import Side
from affray.core.rules.tables import EffectKindRow

DARK = Theme(
    name="affray-dark",
    primary="#7aa2c8",
    secondary="#5c7a99",
    accent="#e6b450",
    warning="#e0a458",
    error="#e06c6c",
    success="#8fbf7f",
    foreground="#d8dbe0",
    background="#14171c",
    surface="#1a1e25",
    panel="#242a33",
    dark=True,
    variables={
        "ink-dim": "#8a93a0",
        "ink-faint": "#4a5360",
        "ink-party": "#86c1e8",
        "ink-foes": "#eb8f7d",
        "ink-others": "#a8c98a",
        "ink-world": "#c3a6e0",
        "ink-hot": "#ff8a4c",
        "ink-cold": "#9fd8f0",
        "ink-wet": "#5fa8ff",
        "ink-cursor": "#2c3644",
        "frame": "#39424f",
        "frame-chosen": "#7aa2c8",
    },
)

LIGHT = Theme(
    name="affray-light",
    primary="#2f5d8a",
    secondary="#56789a",
    accent="#96590a",
    warning="#8f5600",
    error="#a8261c",
    success="#2f6d2a",
    foreground="#20242a",
    background="#f6f4ef",
    surface="#efece5",
    panel="#e2ded4",
    dark=False,
    variables={
        "ink-dim": "#5c6470",
        "ink-faint": "#b0aea6",
        "ink-party": "#17588f",
        "ink-foes": "#a63420",
        "ink-others": "#3b6a1f",
        "ink-world": "#6b3f94",
        "ink-hot": "#b03a00",
        "ink-cold": "#0f6478",
        "ink-wet": "#1c4fb0",
        "ink-cursor": "#d6dfe9",
        "frame": "#bdb9ae",
        "frame-chosen": "#2f5d8a",
    },
)

CONTRAST = Theme(
    name="affray-contrast",
    primary="#00d7ff",
    secondary="#ffffff",
    accent="#ffff00",
    warning="#ffff00",
    error="#ff5f5f",
    success="#5fff5f",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#000000",
    dark=True,
    variables={
        "ink-dim": "#e4e4e4",
        "ink-faint": "#a8a8a8",
        "ink-party": "#5fd7ff",
        "ink-foes": "#ff8787",
        "ink-others": "#5fff5f",
        "ink-world": "#ffafff",
        "ink-hot": "#ffaf5f",
        "ink-cold": "#afffff",
        "ink-wet": "#87afff",
        "ink-cursor": "#0000af",
        "frame": "#bcbcbc",
        "frame-chosen": "#ffff00",
    },
)

THEMES = (DARK, LIGHT, CONTRAST)


def theme_variables(theme: Theme) -> dict[str, str]:
    """Our own variables for a theme that doesn't define them, made of its colours."""
    own = {
        "ink-dim": theme.secondary or theme.primary,
        "ink-faint": theme.panel or theme.secondary or theme.primary,
        "ink-party": theme.primary,
        "ink-foes": theme.error or theme.primary,
        "ink-others": theme.success or theme.primary,
        "ink-world": theme.accent or theme.primary,
        "ink-hot": theme.error or theme.primary,
        "ink-cold": theme.secondary or theme.primary,
        "ink-wet": theme.primary,
        "ink-cursor": theme.panel or theme.surface or theme.primary,
        "frame": theme.panel or theme.secondary or theme.primary,
        "frame-chosen": theme.primary,
    }
    if theme.ansi:
        own |= {"ink-dim": "ansi_default", "ink-faint": "ansi_bright_black", "frame": "ansi_white"}
    return own | theme.variables


class Styles(Struct, frozen=True, eq=False):
    """The styles that text is drawn with, by what they mean. Compared by identity.

    plain, dim, faint    text, less of it, and the empty part of a bar
    strong               what the eye should find first
    title                a landmark in a long list
    accent               whose turn it is, keys, numbers that matter
    good, warn, bad      how a number stands
    hot, cold, wet       what has such a colour of its own
    party, foes, others, world   the sides
    cursor               laid over the line that the cursor is on
    turn                 laid over the name and the line of whoever's turn it is
    frame, frame_chosen  around a pane, and around the chosen one
    """

    plain: Style
    dim: Style
    faint: Style
    strong: Style
    title: Style
    accent: Style
    good: Style
    warn: Style
    bad: Style
    hot: Style
    cold: Style
    wet: Style
    party: Style
    foes: Style
    others: Style
    world: Style
    cursor: Style
    turn: Style
    frame: Style
    frame_chosen: Style

    def side(self, side: Side) -> Style:
        """The ink of a side."""
        return {
            "party": self.party,
            "foes": self.foes,
            "others": self.others,
            "world": self.world,
        }[side]

    def effect(self, rule: EffectKindRow) -> Style:
        """The ink of an effect, by its look."""
        if rule.ink:
            return {"hot": self.hot, "cold": self.cold, "wet": self.wet}[rule.ink]
        return self.warn if rule.harmful else self.good


def styles_of(theme: Theme) -> Styles:
    """The inks of a theme, ours or any other."""
    own = theme_variables(theme)
    text = _ink(theme.foreground or "")
    return Styles(
        plain=text,
        dim=_ink(own["ink-dim"]),
        faint=_ink(own["ink-faint"]),
        strong=text + Style(bold=True),
        title=_ink(theme.primary) + Style(bold=True),
        accent=_ink(theme.accent or theme.primary) + Style(bold=True),
        good=_ink(theme.success or ""),
        warn=_ink(theme.warning or theme.accent or ""),
        bad=_ink(theme.error or "") + Style(bold=True),
        hot=_ink(own["ink-hot"]),
        cold=_ink(own["ink-cold"]),
        wet=_ink(own["ink-wet"]),
        party=_ink(own["ink-party"]),
        foes=_ink(own["ink-foes"]),
        others=_ink(own["ink-others"]),
        world=_ink(own["ink-world"]),
        cursor=_paper(own["ink-cursor"]),
        turn=_ink(theme.background or "")
        + _paper(theme.accent or theme.primary)
        + Style(bold=True),
        frame=_ink(own["frame"]),
        frame_chosen=_ink(own["frame-chosen"]),
    )


def _rich_name(colour: str) -> str:
    """The name that Rich knows a theme's colour by; empty for one that it can't draw."""
    if colour.startswith("#") and len(colour) == 7:
        return colour
    return colour.removeprefix("ansi_") if colour.startswith("ansi_") else ""


def _ink(colour: str) -> Style:
    name = _rich_name(colour)
    return Style(color=name) if name else Style()


def _paper(colour: str) -> Style:
    name = _rich_name(colour)
    return Style(bgcolor=name) if name else Style(reverse=True)
