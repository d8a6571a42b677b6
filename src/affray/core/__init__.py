"""The pure core of affray: state, events, replay, commands, dice and timing.

Nothing in here reads a file, a clock or a screen, and nothing in here names a rule of any game.
"""
