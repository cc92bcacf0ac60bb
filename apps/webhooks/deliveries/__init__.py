"""Sending what is due: `dispatch` claims batches (`claim`), has threads send them (`send`) and records the results (`record`)."""
