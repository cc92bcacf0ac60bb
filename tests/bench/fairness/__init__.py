"""What other partners pay while somebody is a burden: `make bench ARGS=fairness`.

The stage, the attacks and the judge are those of `tests/siege`; here are the situations, and one table of them.
"""
