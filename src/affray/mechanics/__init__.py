"""What rule systems share: functions and structs that a ruleset calls, and that name no game.

They depend on the core alone. What differs from game to game is handed in: numbers and names, rows
of its tables, or a function that is called back.
"""
