"""What sheets show: rules and creatures, keys and commands, and the ways through the log."""
