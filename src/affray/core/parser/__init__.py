"""The language of commands: words, whom they name, and answers to what can't be read."""
