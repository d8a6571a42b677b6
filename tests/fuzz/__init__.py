"""What nobody means to type, save or press, by the hundred thousand.

A target makes an input out of random choices, as bytes, and tries it. Whatever the input is, the
answer is an error line or a fight: `Refused` or `LogError` with nothing changed, or something that
can be saved, replayed and shown. Anything else is a fault.

    python -m tests.fuzz                     every target, 100,000 tries each
    python -m tests.fuzz --only keys --tries 500 --seed 4
"""
