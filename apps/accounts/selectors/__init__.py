"""Reads of people, invitations and the audit trail of an account."""
