"""Whatever is typed, in every rule system: the file is the fight, and undo takes back."""
