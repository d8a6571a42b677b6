"""What a rule system gives to the rest: its judgements, its tables, a campaign's own rows."""
