"""Which of many objects can be seen: asked once per folder that they are in, and not once per object."""

# A condition on a candidate `c`: no folder above it is trashed or going. The root is above everything.
IS_VISIBLE = (
    "(c.parent_key IS NULL OR (c.account_id, c.parent_key) NOT IN"
    " (SELECT account_id, folder_key FROM above WHERE status <> 'A'))"
)


def among(candidates: str, answer: str) -> str:
    """A statement whose answer chooses, by IS_SEEN, from the rows of `candidate c`.

    The candidates are active objects, by a SELECT that gives at least account_id and parent_key. A thousand
    of them in one folder cost one walk up the tree.
    """
    return (
        f"WITH RECURSIVE candidate AS MATERIALIZED ({candidates}),"
        " above (account_id, folder_key, next_key, status) AS ("
        "SELECT p.account_id, p.object_key, p.parent_key, p.status"
        # CROSS JOIN is SQLite's word for "in this order": it does not know how few the folders are.
        " FROM (SELECT DISTINCT account_id, parent_key FROM candidate) c CROSS JOIN objects p"
        " WHERE p.account_id = c.account_id AND p.object_key = c.parent_key"
        " UNION ALL SELECT above.account_id, above.folder_key, p.parent_key, p.status"
        " FROM above CROSS JOIN objects p"
        " WHERE p.account_id = above.account_id AND p.object_key = above.next_key AND above.status = 'A')"
        f" {answer}"
    )
