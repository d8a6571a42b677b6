"""What Level Up and 5e share, as both are children of the System Reference Document (SRD).

A game on it passes in its own decisions (`rules.SrdRules`); its own package has the rest.
"""
