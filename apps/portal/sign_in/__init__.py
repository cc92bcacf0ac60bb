"""Signing in to the portal and the back office: django-allauth with our limits and audit entries."""
