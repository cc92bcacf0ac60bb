"""What the service counts for whoever runs it, in the form that Prometheus reads: docs/metrics.md names every figure.

Off unless METRICS_DIRECTORY is set. Then each process adds to files of its own there, and one answer sums them up
(`apps/gateway/metrics`). What the database or Redis knows is not counted but read when it is asked for (`readings.py`).
"""
