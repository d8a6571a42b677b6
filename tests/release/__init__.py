"""A release: what is checked of it before it has a tag, `make release VERSION=1.2.3`.

`__main__.py` has its steps in their order. Nothing here needs more than Python's own library.
"""
