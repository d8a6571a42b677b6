"""The regions of the fight's screen, each of which draws its part of what is to be seen."""
