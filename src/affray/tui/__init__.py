"""The screen: a projection of the fight's state, and nothing else. It knows no rule of any game."""
