"""Deployments that are really run, with the standard library alone: `deploy/rehearse` is their command."""
