"""One way through the server: every request of every protocol passes the same stages, once and in one order.

`pipeline.py` lists the stages. A protocol names the operation of a request, decodes it, and encodes its result and its
errors (`operation.py`); it does not identify callers, admit, log, measure or remember.
"""
