"""affray: a combat tracker for the terminal that knows the rules of the game on the table.

A fight is an append-only log of commands and what became of them; the fight on the screen is that
log, replayed. See :mod:`affray.core` for the model, :mod:`affray.rulesets` for the rule systems,
:mod:`affray.store` for the log on disk, and :mod:`affray.cli` for the command line.
"""

__version__ = "0.1.0"
