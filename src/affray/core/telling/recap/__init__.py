"""What is told of a fight when it is over: who did what, how it turned, round by round.

`fold.py` makes one plain struct (`facts.py`) of the history; `for_players.py` takes out of it what
the players don't know; `sections.py` puts it into words, tables and charts, and `markdown.py`,
`page.py` and the screen draw those.
"""
