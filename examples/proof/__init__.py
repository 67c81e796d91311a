"""What `verify_match.py` checks with, by one subject for each file: nothing here asks a server, except `record.py`."""
