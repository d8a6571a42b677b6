"""The fight in words: as JSON, as text, line by line, and where a number comes from."""
