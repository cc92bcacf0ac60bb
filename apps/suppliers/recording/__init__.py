"""Recordings of real exchanges with suppliers, redacted, as files for tests (`manage.py record_supplier`)."""
