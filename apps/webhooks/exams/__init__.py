"""The receiver exam: what is sent (`cases`) and what the answers mean (`grades`). Pure; sending is in `services/`."""
