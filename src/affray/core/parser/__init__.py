"""The language of commands: words, names, and refusals."""
