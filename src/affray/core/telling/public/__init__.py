"""The fight as the players may see it: `view.public` makes it, and nothing else shows them any."""
