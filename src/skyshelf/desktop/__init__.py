"""The drive on a computer: folders in sync, a mounted drive, and a file system for data tools."""
