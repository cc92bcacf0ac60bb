"""A supplier's name for what it booked."""

LONGEST_REFERENCE = 255
"""As many characters as are kept of it. An answer under a longer one counts as unreadable: it could not be found again."""
