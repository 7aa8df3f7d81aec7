"""Importing: a folder tree of this machine comes into an account at the speed of the disk.

The drive itself is the journal. A file whose name, size and time are in the drive is passed over, so that an import
that was killed at any moment is continued by running it again, and nothing comes twice.
"""
