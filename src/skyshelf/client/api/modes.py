"""The executable bit of files."""

from collections.abc import Iterable

from skyshelf.client.api.calls import Calls
from skyshelf.client.objects.batch import change_in_parts
from skyshelf.client.objects.lookup import PathResolver
from skyshelf.client.objects.outcomes import BatchResult, OnError, Outcome, TolerantAnswer
from skyshelf.client.objects.remote_object import Target
from skyshelf.wire.endpoints.objects import EXECUTABLE
from skyshelf.wire.resources.batch import ExecutableRequest


class ModeCalls(Calls):
    """The executable bit of files."""

    _feature = "keep which files are executable"

    async def set_executable(
        self,
        targets: Iterable[Target],
        executable: bool = True,
        *,
        parent: Target | None = None,
        on_error: OnError = "raise",
    ) -> BatchResult:
        """Say of files whether they may be run as programs. `skyshelf sync` keeps that the same on all computers.

        Args:
            targets: Files, keys or paths.
            executable: False for files that are no programs.
            parent: The folder that they are in, where it is the same.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per file.

        Raises:
            UnprocessedError: The server rejected a file; the error has all outcomes.
            NotOfferedError: The server does not keep it.
        """
        files = await PathResolver(self._engine).objects(targets, parent)

        async def change(keys: list[str]) -> TolerantAnswer:
            body = ExecutableRequest(object_keys=keys, is_executable=executable)
            return await self._call(EXECUTABLE.read_as(TolerantAnswer), body=body)

        result = await change_in_parts((found.key for found in files), change)
        for outcome in result.succeeded:
            self._engine.written.forget(outcome.key)
        return BatchResult(tuple(_checked(one, executable=executable) for one in result)).settled(on_error)


def _checked(outcome: Outcome, *, executable: bool) -> Outcome:
    """Return an outcome as a rejection where the file that the server shows is not what was requested."""
    if not outcome.ok or outcome.object is None or outcome.object.is_executable == executable:
        return outcome
    shown = "not executable" if executable else "executable"
    return Outcome(key=outcome.key, ok=False, message=f"the server reports success, but shows the file as {shown}")
