"""The words of public pages in the visitor's language: English is written in the templates, German is here."""

from datetime import date
from typing import Final

from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire.sizes import format_size
from skyshelf.wire.times import from_epoch_ms

_LANGUAGES: Final = ("en", "de")
_ASKED_MAX: Final = 32
_MONTHS: Final = {
    "en": ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    "de": ("Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."),
}

GERMAN: Final = {
    "Skip to content": "Zum Inhalt springen",
    "Shared from a private Skyshelf drive": "Geteilt aus einer privaten Skyshelf-Ablage",
    "Shared with you": "Mit dir geteilt",
    "Shared by {name}": "Geteilt von {name}",
    "Until {day}": "Bis {day}",
    "Taken on {day}": "Aufgenommen am {day}",
    "Added by {name}": "Hinzugefügt von {name}",
    "1 item": "1 Element",
    "{count} items": "{count} Elemente",
    "1 photo or video": "1 Foto oder Video",
    "{count} photos and videos": "{count} Fotos und Videos",
    "First {count} of them": "Davon die ersten {count}",
    "Download": "Herunterladen",
    "Download {name}": "{name} herunterladen",
    "Download all": "Alles herunterladen",
    "Open": "Öffnen",
    "Previous": "Zurück",
    "Next": "Weiter",
    "Next page": "Nächste Seite",
    "Folders": "Ordner",
    "Folders above": "Ordner darüber",
    "Photos and videos": "Fotos und Videos",
    "Files": "Dateien",
    "Video": "Video",
    "Preview of {name}": "Vorschau von {name}",
    "First page of {name}": "Erste Seite von {name}",
    "Text of {name}": "Text von {name}",
    "Your browser cannot play this video. You can download it.": "Dein Browser kann dieses Video nicht abspielen. Du"
    " kannst es herunterladen.",
    "Your browser cannot play this file. You can download it.": "Dein Browser kann diese Datei nicht abspielen. Du"
    " kannst sie herunterladen.",
    "No preview available.": "Keine Vorschau verfügbar.",
    "Only the beginning is shown. Download the file to read all of it.": "Nur der Anfang wird gezeigt. Lade die Datei"
    " herunter, um alles zu lesen.",
    "Nothing here right now": "Hier ist gerade nichts",
    "The shared items were moved or deleted, or the folder is empty.": "Die geteilten Elemente wurden verschoben oder"
    " gelöscht, oder der Ordner ist leer.",
    "There are no photos in this album yet.": "In diesem Album sind noch keine Fotos.",
    "Password": "Passwort",
    "Connect an app": "Eine App verbinden",
    "Connect": "Verbinden",
    "The app is connected": "Die App ist verbunden",
    "You can close this page and go back to the app.": "Du kannst diese Seite schließen und zur App zurückkehren.",
    "{name} asks to read and change your files.": "{name} möchte deine Dateien lesen und ändern.",
    "Go on only if you have just begun this in the app. You can disconnect it in the settings at any time.": "Mach nur"
    " weiter, wenn du das gerade selbst in der App begonnen hast. Du kannst sie jederzeit in den"
    " Einstellungen trennen.",
    "Email address": "Mailadresse",
    "Code of your second factor, if you have one": "Code deines zweiten Faktors, falls du einen hast",
    "A private Skyshelf drive": "Eine private Skyshelf-Ablage",
    "Wrong email address, password or code.": "Mailadresse, Passwort oder Code ist falsch.",
    "This account needs a code as well.": "Dieses Konto braucht auch einen Code.",
    "This request of the app has ended. Begin again in the app.": "Diese Anfrage der App ist abgelaufen. Beginne in der"
    " App noch einmal.",
    "Too many attempts. Wait a few minutes.": "Zu viele Versuche. Warte ein paar Minuten.",
    "That did not work. Try again in a moment.": "Das hat nicht geklappt. Versuche es gleich noch einmal.",
    "This link has a password": "Dieser Link hat ein Passwort",
    "Wrong password. Ask the sender of the link.": "Falsches Passwort. Frag nach bei der Person, die dir den Link"
    " geschickt hat.",
    "Add photos": "Fotos hinzufügen",
    "Your photos go to {name} and appear in this album.": "Deine Fotos gehen an {name} und erscheinen in diesem Album.",
    "{name} asks you for files": "{name} bittet dich um Dateien",
    "Only {name} sees what you send.": "Nur {name} sieht, was du schickst.",
    "Your name": "Dein Name",
    "Choose photos and videos": "Fotos und Videos auswählen",
    "Choose files": "Dateien auswählen",
    "Each up to {size}.": "Je bis zu {size}.",
    "Send": "Senden",
    "Thank you. {count} files have arrived.": "Danke. {count} Dateien sind angekommen.",
    "Thank you. 1 file has arrived.": "Danke. 1 Datei ist angekommen.",
    "sent": "gesendet",
    "waiting": "wartet",
    "or drop them here": "oder hier ablegen",
    "{done} of {count} sent": "{done} von {count} gesendet",
    "Try again": "Noch einmal versuchen",
    "Files for {name}": "Dateien für {name}",
    "Send more files": "Weitere Dateien senden",
    "You can close this page.": "Du kannst diese Seite schließen.",
    "1 more file can be sent.": "1 weitere Datei kann gesendet werden.",
    "{count} more files can be sent.": "{count} weitere Dateien können gesendet werden.",
    "Too large: at most {size} for each file.": "Zu groß: höchstens {size} je Datei.",
    "Not sent: this link takes no more files. Ask {name} for another one.": "Nicht gesendet: Über diesen Link werden"
    " keine weiteren Dateien angenommen. Bitte {name} um einen neuen.",
    "Only photos and videos can be sent here.": "Hier können nur Fotos und Videos gesendet werden.",
    "Not accepted. Rename the file, or send it another way.": "Nicht angenommen. Benenne die Datei um oder schicke sie"
    " auf anderem Weg.",
    "There is no more space. Tell {name}, and try again later.": "Hier ist kein Platz mehr. Sag {name} Bescheid und"
    " versuche es später noch einmal.",
    "Too many files for now. Wait a while, then try again.": "Gerade zu viele Dateien. Warte eine Weile und versuche es"
    " dann noch einmal.",
    "This link has ended. Ask {name} for a new one.": "Dieser Link ist abgelaufen. Bitte {name} um einen neuen.",
    "Load this page again and enter the password, then try again.": "Lade diese Seite neu, gib das Passwort ein und"
    " versuche es noch einmal.",
    "Not sent. Check your connection, then try again.": "Nicht gesendet. Prüfe deine Verbindung und versuche es noch"
    " einmal.",
    "Close": "Schließen",
    "Zoom": "Vergrößern",
    "That did not work": "Das hat nicht geklappt",
    "Check the address.": "Prüfe die Adresse.",
    "The page cannot use what was sent to it. Go back and try again, or check the address.": "Die Seite kann mit dem,"
    " was gesendet wurde, nichts anfangen. Geh zurück und versuche es noch einmal, oder prüfe die Adresse.",
    "Only photos and videos can be added to this album.": "Zu diesem Album können nur Fotos und Videos hinzugefügt"
    " werden.",
    "Too much was sent": "Zu viel gesendet",
    "Go back and try again with less.": "Geh zurück und versuche es mit weniger.",
    "No more files": "Keine weiteren Dateien",
    "This link takes no more files. Ask the sender for another one.": "Über diesen Link werden keine weiteren Dateien"
    " angenommen. Bitte um einen neuen.",
    "There is no more space here. Ask the sender of the link.": "Hier ist kein Platz mehr. Frag nach bei der Person,"
    " die dir den Link geschickt hat.",
    "Nothing here": "Hier ist nichts",
    "This link may have been revoked, have expired or have reached its download limit, or the files are no longer"
    " shared. Ask the sender.": "Dieser Link wurde vielleicht zurückgezogen, ist abgelaufen oder hat seine Grenze für"
    " Downloads erreicht, oder die Dateien werden nicht mehr geteilt. Frag nach bei der Person, die ihn geschickt hat.",
    "Too many attempts": "Zu viele Versuche",
    "Wait a moment, then try again.": "Warte einen Moment und versuche es dann noch einmal.",
    "Temporarily unavailable": "Vorübergehend nicht verfügbar",
    "The server cannot do this right now. Try again in a moment.": "Der Server kann das gerade nicht. Versuche es"
    " gleich noch einmal.",
    "Too much for one archive": "Zu viel für ein Archiv",
    "There are too many files here for one ZIP file. Open the folders and download them separately.": "Hier sind zu"
    " viele Dateien für eine ZIP-Datei. Öffne die Ordner und lade sie einzeln herunter.",
    "Something went wrong": "Etwas ist schiefgegangen",
    "This is an error on our side, and it has been logged. Try again later.": "Das ist ein Fehler auf unserer Seite; er"
    " wurde vermerkt. Versuche es später noch einmal.",
}


class Words:
    """One language; templates know it as `w`."""

    def __init__(self, language: str = "en") -> None:
        self.language = language

    def __call__(self, text: str, /, **given: object) -> str:
        """The text in this language, with its gaps filled. The result is not HTML: templates escape it."""
        words = GERMAN[text] if self.language == "de" else text
        return words.format(**given) if given else words

    def day(self, ms: int) -> str:
        """`6 May 2024` or `6. Mai 2024`, in UTC."""
        return self._date(from_epoch_ms(ms).date())

    def taken(self, stored: StoredObject) -> str | None:
        """The day on which a picture was taken, by the camera's clock."""
        return None if stored.taken_at is None else self._date(_taken_on(stored.taken_at, stored.taken_day))

    def size(self, size: int) -> str:
        text = format_size(size)
        return text.replace(".", ",") if self.language == "de" else text

    def number(self, count: int) -> str:
        text = f"{count:,}"
        return text.replace(",", ".") if self.language == "de" else text

    def items(self, count: int) -> str:
        return self("1 item") if count == 1 else self("{count} items", count=self.number(count))

    def photos(self, count: int) -> str:
        if count == 1:
            return self("1 photo or video")
        return self("{count} photos and videos", count=self.number(count))

    def _date(self, moment: date) -> str:
        dot = "." if self.language == "de" else ""
        return f"{moment.day}{dot} {_MONTHS[self.language][moment.month - 1]} {moment.year}"


def words_for(accept_language: str) -> Words:
    """The words in the first of our languages among those that a browser prefers; English for any other."""
    asked: list[tuple[float, str]] = []
    for entry in accept_language.split(",")[:_ASKED_MAX]:
        name, _, quality = entry.partition(";")
        language = name.strip().lower().partition("-")[0]
        if language in _LANGUAGES or language == "*":
            asked.append((_quality(quality), "en" if language == "*" else language))
    best = max(asked, key=lambda one: one[0], default=(0.0, "en"))
    return Words(best[1] if best[0] > 0 else "en")


def _quality(text: str) -> float:
    digits = text.strip().lower().removeprefix("q=")[:8]
    try:
        return min(1.0, max(0.0, float(digits))) if digits else 1.0
    except ValueError:
        return 0.0


def _taken_on(taken_at: int, taken_day: int | None) -> date:
    """The camera's clock may have been in another day than UTC, and in another year."""
    moment = from_epoch_ms(taken_at).date()
    if taken_day is None:
        return moment
    month, day = divmod(taken_day, 100)
    year = moment.year + (1 if month < moment.month - 6 else -1 if month > moment.month + 6 else 0)
    try:
        return date(year, month, day)
    except ValueError:
        return moment
