"""The page of rules: every rule of the interface with its tests, and every statement with its rules."""

from typing import Final

from tests.requirements import manifest

from tools.generate.markdown import page, table

BOUND: Final = ("server", "client", "both")


def rules_page() -> str:
    """Render every rule of the interface with the sides that it binds and the tests that enforce it."""
    found = manifest.rules()
    rows = [
        (
            f"`{identifier}`",
            rule.says,
            rule.binds,
            ", ".join(f"`{test.removeprefix('tests/')}`" for test in manifest.node_ids(rule)),
        )
        for identifier, rule in found.items()
    ]
    counts = ", ".join(f"{sum(rule.binds == side for rule in found.values())} bind {side}" for side in BOUND)
    about = (
        f"Rules of the interface, of its extensions and of operating a service: {len(found)}, of which {counts}."
        " A run of all tests ends with how many hold; it fails if a rule has no test on a side that it binds."
    )
    said = manifest.statements()
    binding = sum(bool(one.binds) for one in said.values())
    statements = (
        f"The interface has {len(said)} statements; {binding} of them bind somebody: the server, the SDK (client), the"
        " commands or the agent bridge. Each part has a test of one of the rules. The others say why they bind nobody."
    )
    lines = [
        (name, _cell(one.says), ", ".join(one.binds) or one.silent, ", ".join(f"`{rule}`" for rule in one.rules))
        for name, one in said.items()
    ]
    return page(
        "tests/requirements",
        "# Rules",
        about,
        table(("id", "rule", "binds", "tests"), rows),
        "## Statements of the interface",
        statements,
        table(("id", "statement", "binds", "rules"), lines),
    )


def _cell(text: str) -> str:
    """Escape text for a cell of a table."""
    return text.replace("|", "·").replace("<", "&lt;")
