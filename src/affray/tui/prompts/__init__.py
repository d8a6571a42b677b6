"""One-line prompts as a pure model: keys go in, a command line comes out. No Textual here.

A `Prompt` holds the slots that a command asks for, one after the other. It is fed key by key, says
what to show, and tells when the line is finished.
"""

from __future__ import annotations

from affray.tui.prompts.answer import Answer
from affray.tui.prompts.prompt import Prompt, Step
from affray.tui.prompts.row import Piece
from affray.tui.prompts.spec import PromptSpec, spec_of_prompt, spec_of_technique
from affray.tui.prompts.view import PromptView

__all__ = [
    "Answer",
    "Piece",
    "Prompt",
    "PromptSpec",
    "PromptView",
    "Step",
    "spec_of_prompt",
    "spec_of_technique",
]
