"""Uploads that were begun, from the command line: listed, and given up."""

from tests.cli.typing_commands import Typist

from skyshelf.cli.commands.uploads import UnfinishedUploadRecord
from skyshelf.storage.metadata.contracts.files import NewUpload


def begin(typist: Typist, name: str, md5: str = "0" * 32) -> str:
    """The transaction of an upload of which nothing has come yet."""
    ctx, account = typist.person.server.ctx, typist.person.account
    new = NewUpload(
        upload_key=ctx.new_key(), parent_key=account.root_key, name=name, size=3_000_000, md5=md5, details=b"{}"
    )
    ctx.metadata.write(lambda unit: unit.uploads.begin(account.account_id, new, ctx.clock.now()))
    return new.upload_key


def test_unfinished_uploads_are_listed_and_cancelled_by_name_by_key_and_all(typist: Typist) -> None:
    twins = [begin(typist, "twin.mp4", digit * 32) for digit in "12"]
    begin(typist, "holiday.mp4")
    # Three in one millisecond have no order.
    latest = next(one for one in typist.records(UnfinishedUploadRecord, "uploads", "ls") if one.name == "holiday.mp4")
    assert (latest.name, latest.size_bytes, latest.received_bytes) == ("holiday.mp4", 3_000_000, 0)
    assert latest.started is not None
    shown = typist.done("uploads")
    assert "holiday.mp4" in shown
    assert f"key:{twins[0]}" in shown
    assert typist.refused("uploads", "cancel", "holiday.mp4")[0] == 2, "there is no terminal to ask at"
    typist.done("uploads", "cancel", "holiday.mp4", "--yes")
    assert typist.refused("uploads", "cancel", "holiday.mp4", "--yes")[0] == 6
    code, said = typist.refused("uploads", "cancel", "twin.mp4", "--yes")
    assert (code, twins[0] in said, twins[1] in said) == (7, True, True)
    typist.done("uploads", "cancel", f"key:{twins[0]}", "--yes")
    (left,) = typist.records(UnfinishedUploadRecord, "uploads", "ls")
    assert left.transaction_id == twins[1]
    typist.done("uploads", "cancel", "--all", "--yes")
    assert typist.records(UnfinishedUploadRecord, "uploads", "ls") == []
    assert typist.refused("uploads", "cancel")[0] == 2
