"""Backups: cuts of a running store in a folder or a bucket, their verification, and stores made of them.

A cut is the rows of one moment and every content that they name. Below the destination:

    cuts/<time>-<nonce>.json     the sealed manifest of a cut; it is written last, and without it there is no cut
    lists/<sha256>               what a cut needs: its contents in up to 256 lists by name, and the chunks of its rows
    packs/<sha256>               chunks of the database file, compressed, many in one pack
    blobs/ab/<name>              contents, each stored once for all cuts
    unfinished/…                 what an interrupted run has copied, so that the next one goes on
    dropped/…                    manifests of cuts that are being removed
    history/…                    what was removed, and when

Without encryption a content's name is its SHA-256. With it, blobs and packs are age files, and names are keyed digests:
the key is in the store and, encrypted, in every manifest. Lists hold names and sizes alone. So a server that can only
encrypt knows what it has backed up, old cuts can be removed, and verification without the identity is possible.
"""
