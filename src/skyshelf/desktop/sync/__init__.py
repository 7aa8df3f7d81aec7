"""Two-way sync of a local folder with one on the server.

One round scans both sides, compares them with the index of what was the same after the last sync (`index.py`), plans
(`plan.py`) and carries the plan out (`execution.py`). Changes of structure are carried out first, and then everything
is scanned again, until nothing is left to do (`rounds.py`).

Three rules make it safe to kill at any moment. Every step is recorded after it is done, and a step that was done but
not recorded is recognised: both sides are already the same. No content is overwritten or deleted: what a download
replaces and what was deleted on the server goes to the local trash, what was deleted here to the server's. And where
both sides claim one name, the local item gets another one, which is a rename like any other.
"""
