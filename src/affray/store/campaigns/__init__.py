"""Campaigns: folders with a party, a bestiary, house rules and encounters."""
