"""The parts of a rule system: its judgements, its tables, a campaign's own rows."""
