"""Travellers' fields: which ones a product has, how they rest in the database, and how they are read and forgotten.

`declared` says which fields of a booking's details name travellers. `rest` seals them under a key of the booking's own, and opens
them. `docs/travellers.md` says what is promised.
"""
