"""The drive as a folder of the system, through FUSE.

`operations.py` does what a file system does, without a kernel: it is tested everywhere. `fuse.py` alone knows the
library, which needs a system with FUSE. Contents are kept in a bounded cache and verified (`contents.py`).
"""
