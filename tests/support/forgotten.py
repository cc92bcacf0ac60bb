"""What the process keeps of suppliers between calls, ended as when a process ends."""

from apps.suppliers import isolation


def forget_suppliers() -> None:
    """No breaker is open and no connection is kept. A socket that only garbage collection closes may fail another test."""
    for one in isolation._states.values():
        one.pool.close_old(everything=True)
    isolation.forget_all()
