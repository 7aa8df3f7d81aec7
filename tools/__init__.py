"""Tools of the project that `./dev` runs."""
