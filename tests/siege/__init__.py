"""The judge of the edge: what attacks cost others. `make siege` prints the table; the suite has a short form of it."""
