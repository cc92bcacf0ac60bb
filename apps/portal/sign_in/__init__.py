"""Signing in to the portal and the back office: django-allauth, and what we ask beyond it."""
