"""Traces by OpenTelemetry: what a call waited for, from its first check to the delivery of its webhooks (docs/traces.md).

Off unless OTEL_EXPORTER_OTLP_ENDPOINT is set. Data flows one way: the service notes spans (`spans.py`), they wait in memory, and
a thread of the process sends them to a collector (`export.py`). Nothing here decides anything, and nothing waits for the
collector.
"""
