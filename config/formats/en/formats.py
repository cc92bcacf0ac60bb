"""Dates in the back office, as the portal writes them."""

DATETIME_FORMAT = "j M Y, H:i e"
DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i"
