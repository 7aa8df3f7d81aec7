-- In SQLite, every term of the search index gets the number of its part of the entries (sqlite/search.py): the index is
-- emptied here and filled again. PostgreSQL has nothing to do.
{empty_search_index};

-- @back: nothing
{empty_search_index};
