"""The heart: the fight as it stands, what became true, and how the one follows from the other."""
