"""All promises, in the order in which they are looked at: what a later one counts, an earlier one may have mended.

A new promise is a file of its own beside this one, and a line here.
"""

from skyshelf.service.doctor import (
    accounts,
    blobs,
    boards,
    changes,
    dangling,
    encoded,
    orphans,
    purges,
    quota,
    references,
    search,
    second_factors,
    structure,
    thumbnails,
    timeline,
    tree,
    uploads,
    versions,
)
from skyshelf.service.doctor.promise import Promise

PROMISES = (
    Promise("structure", "the database is whole in its own eyes", structure.look),
    Promise("accounts", "every account has its counters and its root folder", accounts.look),
    Promise("codes", "the codes of second factors can be compared", second_factors.look),
    Promise("tree", "every object hangs below the root, and no folder is inside of itself", tree.look),
    Promise("rows", "every row that refers to another one finds it", dangling.look),
    Promise("versions", "every file is its current version", versions.look),
    Promise("uploads", "uploads in progress have every byte that was acknowledged", uploads.look),
    Promise("references", "the references to every content are counted", references.look),
    Promise("quota", "the counters of every account are the sum of what it holds", quota.look),
    Promise("encoded", "listings show objects as they are", encoded.look),
    Promise("search", "a search finds what is there", search.look),
    Promise("timeline", "the timeline counts what is there", timeline.look),
    Promise("changes", "the changes of every account have no hole", changes.look),
    Promise("boards", "every board has an owner, and shows what its members put there", boards.look),
    Promise("purges", "what was given up is being purged", purges.look),
    Promise("blobs", "the bytes of every file are there", blobs.look),
    Promise("thumbnails", "every thumbnail that was made is there", thumbnails.look),
    Promise("orphans", "no bytes are left that nobody knows", orphans.look),
)
