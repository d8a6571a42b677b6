"""A fight played line by line and read aloud: `affray play FILE`.

`reader.Reader` answers a line. A question goes to `questions`, which reads it by `vocabulary`;
`proposals` handles what phones propose, `subjects` answers `?`. `terminal.run` reads lines from a
terminal or a pipe until `quit`.
"""
