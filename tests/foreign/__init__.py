"""A second implementation of the interface, made from its text alone: what our client meets on servers of others."""
