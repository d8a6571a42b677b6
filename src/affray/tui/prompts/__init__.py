"""One-line prompts as a pure model: keys go in, a command comes out. No Textual here.

A `Prompt` holds the slots that a command asks for, one after the other. It takes key by key, has
the row to show, and says when the line is finished.
"""
