"""Finds whatever an id names: a request, a booking, a delivery, a key and so on, and leads to its page."""
