"""What rule systems share: functions and structs that a ruleset calls, and that name no game. They
depend only on the core. The caller passes in the differences between games: numbers and names, rows
of its tables, or a function to call back.
"""
