"""One-line prompts as a pure model: keys go in, a command comes out. No Textual here.

A `Prompt` holds the slots that a command asks for, one after the other. It is fed key by key, says
what to show, and tells when the line is finished.
"""
