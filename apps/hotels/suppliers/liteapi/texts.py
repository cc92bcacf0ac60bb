"""Texts of theirs on their way into our tables."""


def text(value: object) -> str:
    """Without what JSON can carry and PostgreSQL cannot: the character zero, half a surrogate pair. Nothing for nothing."""
    told = "" if value is None else str(value)
    return told.encode(errors="ignore").decode().replace("\0", "")


def name_of(value: object) -> str:
    """What people read something by. Raises ValueError for what is no text, or an empty one: nobody would know what it is."""
    name = text(value) if isinstance(value, str) else ""
    if not name:
        raise ValueError("no name")
    return name


def handle(value: object, longest: int) -> str:
    """An id. Raises ValueError for one that is empty, too long or no text: it would not name the same thing any more."""
    if not isinstance(value, str) or not 0 < len(value) <= longest or text(value) != value:
        raise ValueError("no id that could be kept")
    return value
