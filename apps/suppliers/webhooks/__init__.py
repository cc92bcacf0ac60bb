"""Webhooks that suppliers send us: verified, stored by id, answered at once. They are hints, and bring nothing but the
moment at which to read an object from its supplier; what no webhook told, the polls find.
"""
