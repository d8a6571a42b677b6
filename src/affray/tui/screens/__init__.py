"""The full screens: the fight, the home screen, and those that are laid over them."""
