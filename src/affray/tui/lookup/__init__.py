"""Searchable lists beside the fight: rules and creatures, keys, party and bestiary, undo. No
Textual."""
