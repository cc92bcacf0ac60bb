"""What a log line says beside its words: whose call, or which task, it was written for."""
