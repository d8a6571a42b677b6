"""What rule systems share: functions and structs that a ruleset calls, and that name no game.

They depend on the core alone. The caller hands in what differs from game to game: numbers and
names, rows of its tables, or a function to call back.
"""
