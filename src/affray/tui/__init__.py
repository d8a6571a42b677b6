"""The screen: a projection of the fight's state. It knows no rule of any game."""
