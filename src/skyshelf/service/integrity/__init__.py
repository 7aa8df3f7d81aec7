"""The integrity of stored content: reads that notice damage, what is known to be damaged, and the scrub.

reading.py reads on behalf of users, damage.py lists what was found, scrub.py reads everything periodically, and
quarantine.py keeps unreferenced bytes for a while.
"""
