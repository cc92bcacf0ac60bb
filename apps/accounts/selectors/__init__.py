"""The reads: people, invitations and the trail of an account."""
