"""Mutation tests: small faults planted in the code one at a time, which the tests have to notice (`make mutants`)."""
