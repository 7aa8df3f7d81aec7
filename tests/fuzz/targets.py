"""All targets of the fuzzer, by name."""

from pathlib import Path

from tests.fuzz.over_http import OVER_HTTP
from tests.fuzz.parsers import PARSERS

TARGETS = {target.name: target for target in (*PARSERS, *OVER_HTTP)}
CORPUS = Path(__file__).parent / "corpus"
