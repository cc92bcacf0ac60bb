"""Texts of theirs on their way into our tables."""


def text(value: object) -> str:
    """Without what JSON can carry and PostgreSQL cannot: the character zero, half a surrogate pair. Nothing for nothing."""
    told = "" if value is None else str(value)
    return told.encode(errors="ignore").decode().replace("\0", "")


def handle(value: object, longest: int) -> str:
    """An id. Raises ValueError for one that is empty, too long or no text: it would not name the same thing any more."""
    if not isinstance(value, str) or not 0 < len(value) <= longest or text(value) != value:
        raise ValueError("no id that could be kept")
    return value
