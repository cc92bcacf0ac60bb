"""The calls of /v1 as figures, and /metrics, where Prometheus reads all of them."""
