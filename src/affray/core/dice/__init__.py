"""Dice: how they are written, and where faces come from."""
