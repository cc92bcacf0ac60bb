"""The judge: a fake supplier in a process of its own, with its own memory, that knows what was really booked.

It runs the product's simulator behind HTTP (`tests.judge.client` is the client), can be told to
misbehave, and counts every call and every write by our client reference. `python -m tests.judge` starts one;
tests use `tests.judge.process`.
"""
