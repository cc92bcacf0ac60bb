"""What a call costs the processor, part by part: `make bench ARGS=parts`.

`spots.py` says which functions are which part, `attribution.py` notes what is spent between them, `meters.py` and `callgrind.py`
count it, `calls.py` makes the calls, `inside.py` is the process that is measured, `report.py` starts it and prints the table.
"""
