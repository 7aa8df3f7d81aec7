"""Photos: what is known of pictures, where they were taken, and nobody else's."""

from tests.server.api import Api

from skyshelf.storage.metadata.contracts.files import MediaFacts

TAKEN = 1_563_868_800_000
PLACE = {"latitude": 38.7223, "longitude": -9.1393}


def take(api: Api, name: str, facts: MediaFacts | None) -> str:
    return api.file(name, name.encode(), file_created_at=TAKEN, taken_at=TAKEN, taken_day=723, facts=facts).object_key


def test_a_month_comes_with_shapes_times_and_places(api: Api) -> None:
    known = take(api, "known.jpg", MediaFacts(4000, 3000, 38_722_300, -9_139_300, 60))
    unknown = take(api, "unknown.jpg", None)
    page = api.get("/x/v1/timeline/objects", params={"year": 2019, "month": 7}).json()
    facts = {one.pop("objectKey"): one for one in page["facts"]}
    shape = {"width": 4000, "height": 3000}
    assert facts == {
        known: {"version": 1, "takenDate": TAKEN + 60 * 60 * 1000, **shape, **PLACE},
        unknown: {"version": 1, "takenDate": TAKEN},
    }
    assert {one["objectKey"] for one in page["objects"]} == {known, unknown}


def test_places_and_facts_are_ones_own(api: Api, other_api: Api) -> None:
    mine = take(api, "mine.jpg", MediaFacts(4, 3, 38_722_300, -9_139_300))
    theirs = take(other_api, "theirs.jpg", MediaFacts(4, 3, 1_000_000, 1_000_000))
    [place] = api.get("/x/v1/photos/places").json()["places"]
    assert (place["objectKey"], place["latitude"], place["longitude"]) == (mine, 38.7223, -9.1393)
    found = api.get("/x/v1/photos/facts", params={"objectKeys": f"{mine},{theirs}"}).json()["facts"]
    assert [one["objectKey"] for one in found] == [mine]


def test_places_are_read_page_by_page(api: Api) -> None:
    keys = {take(api, f"{number}.jpg", MediaFacts(4, 3, 1_000_000 + number, 5)) for number in range(5)}
    seen, query = set(), {"limit": "2"}
    while True:
        page = api.get("/x/v1/photos/places", params=query).json()
        seen |= {one["objectKey"] for one in page["places"]}
        if "nextCursor" not in page:
            break
        query["cursor"] = page["nextCursor"]
    assert seen == keys
