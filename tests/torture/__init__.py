"""Faults that the log and the screen must outlive, tried many times: `python -m tests.torture`."""
