"""The integrity of stored content: reads that notice damage, what is known to be damaged, and the scrub.

reading.py reads on behalf of users, damage.py keeps what was found, and scrub.py
reads everything now and then.
"""
