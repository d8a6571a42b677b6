"""The heart: states, events, and how a state follows from events."""
