"""Cards that take a backtracking parser exponential time, while it holds the interpreter."""

from concurrent.futures import ThreadPoolExecutor

from tests.attacks.attacked import Attacked

LINES = [
    "TEL;" + "a," * 40_000,
    "TEL;TYPE=" + "a," * 40_000 + ":1",
    "item1." * 20_000 + "TEL:1",
    'TEL;X="' * 10_000 + ":1",
    "N:" + ";" * 80_000,
    "NOTE;ENCODING=QUOTED-PRINTABLE:" + "=3D=\r\n" * 20_000,
    "FN:" + "\\," * 40_000,
]


def test_cards_that_cannot_be_read_quickly_stop_nobody(attacked: Attacked) -> None:
    attacker = attacked.account()

    def send(line: str) -> int:
        card = f"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\n{line}\r\nEND:VCARD\r\n"
        return attacker.post("/x/v1/contacts/import", json={"vcards": card}).status_code

    with attacked.while_others_work(), ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(send, LINES * 4))
    # Refused cards, too large ones, and more at once than one account may have.
    assert set(answers) <= {200, 400, 413, 429}
