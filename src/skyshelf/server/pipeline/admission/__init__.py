"""Admission: who runs, who waits and who is refused, for every kind of work, in one place.

A kind of work has a total, a share for each caller and a bounded queue (`kinds.py`). Callers take turns
(`fair_queue.py`): one who asks for a thousand things at once delays only themselves. A caller is the
account of a session that has proved valid, or else the network address (`requesters.py`).
"""
