"""What staff must know of suppliers: raised with `alert`, shown by /health/full and in the back office until cleared."""

from apps.suppliers.alerts.raising import alert

__all__ = ["alert"]
