"""What a rule system is to the rest: its judgements, its tables, a campaign's own rows."""
