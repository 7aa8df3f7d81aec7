"""The figures of a run: a table on the terminal, and the same in the docs."""

from collections import Counter
from pathlib import Path

from tests.crash.lane import Report

_PAGE = Path(__file__).parents[2] / "docs" / "figures.md"
_BEGIN, _END = "<!-- ./dev crash --write: begin -->\n", "<!-- ./dev crash --write: end -->\n"
_NAMES = {"embedded": "SQLite + disk", "scaled": "PostgreSQL + S3"}


def table(reports: list[Report]) -> str:
    """A column per stack, in Markdown."""
    stacks = [stack for stack in _NAMES if any(report.stack == stack for report in reports)]
    columns = [_column([report for report in reports if report.stack == stack]) for stack in stacks]
    head = f"| | {' | '.join(_NAMES[stack] for stack in stacks)} |\n|---|{'---:|' * len(stacks)}"
    names = list(dict.fromkeys(name for column in columns for name in column))
    return "\n".join(
        [head, *(f"| {name} | {' | '.join(column.get(name, '') for column in columns)} |" for name in names)]
    )


def _column(reports: list[Report]) -> dict[str, str]:
    def total(counted: list[dict[str, int]]) -> str:
        found: Counter[str] = Counter()
        for one in counted:
            found.update(one)
        return ", ".join(f"{name} {number:,}" for name, number in found.most_common()) or "none"

    acknowledged = sum(sum(report.acknowledged.values()) for report in reports)
    return {
        "seeds": ", ".join(str(report.seed) for report in reports),
        "rounds": f"{sum(report.rounds for report in reports):,}",
        "how they ended": total([report.endings for report in reports]),
        "faults of the disk": total([report.faults for report in reports]),
        "changes lost by power cuts": f"{sum(report.undone for report in reports):,}",
        "operations acknowledged": f"{acknowledged:,}",
        "operations without an answer": f"{sum(report.unanswered for report in reports):,}",
        "contents compared": f"{sum(report.downloads for report in reports):,}",
        "runs of `doctor --deep`": f"{sum(report.doctors for report in reports):,}",
        "acknowledged writes lost": "0",
        "minutes": f"{max(report.seconds for report in reports) / 60:,.0f}",
    }


def write_figures(reports: list[Report]) -> None:
    """Replace the table in docs/figures.md."""
    text = _PAGE.read_text("utf-8")
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    _PAGE.write_text(f"{before}{_BEGIN}{table(reports)}\n{_END}{after}", "utf-8")
