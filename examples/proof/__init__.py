"""The checks of `verify_match.py`, one subject per file. Only `record.py` talks to a server."""
