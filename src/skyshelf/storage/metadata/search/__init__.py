"""Search without a database: the terms of a name, and the contract of an index of terms."""
