"""How a fight is told: as JSON, as text, line by line, and where a number comes from."""
