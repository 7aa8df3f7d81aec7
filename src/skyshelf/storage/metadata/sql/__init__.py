"""The contracts in SQL, written once for both databases; each module or package is a noun of the contracts."""
