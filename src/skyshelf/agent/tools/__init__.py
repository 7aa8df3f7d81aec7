"""The tools, one file per family; the catalogue puts them in order."""
