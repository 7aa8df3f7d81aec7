// Zurücksetzen.
import type { enRewind } from './en_rewind';

export const deRewind: Record<keyof typeof enRewind, string | { one: string; other: string }> = {
  'rewind.open': 'Zurücksetzen…',
  'rewind.title': '{name} auf {date} zurücksetzen',
  'rewind.text':
    'Das würde geschehen. Nichts geht verloren: Neueres kommt in den Papierkorb, neuere Inhalte bleiben als Versionen.',
  'rewind.planning': 'Die Änderungen werden ermittelt…',
  'rewind.nothing': 'Es gibt nichts zurückzusetzen.',
  'rewind.more': 'Es gibt mehr, als hier gezählt ist.',
  'rewind.items': 'Elemente',
  'rewind.start': 'Zurücksetzen',
  'rewind.progress': 'Fortschritt',
  'rewind.running': '{done} von {total} Elementen sind fertig. Sie können dies schließen; es läuft weiter.',
  'rewind.done': 'Der Ordner ist wieder wie damals.',
  'rewind.undone': 'Das Zurücksetzen wurde rückgängig gemacht.',
  'rewind.cancelled': 'Das Zurücksetzen wurde angehalten. Was fertig war, bleibt.',
  'rewind.refused': 'Es passt nicht: {size} Speicherplatz fehlen. Geben Sie zuerst Platz frei.',
  'rewind.left': 'Bleibt, wie es ist',
  'rewind.restored': 'Kommt zurück',
  'rewind.moved': 'Wird zurückverschoben',
  'rewind.renamed': 'Erhält den früheren Namen',
  'rewind.content': 'Erhält den früheren Inhalt',
  'rewind.favorite': 'Favorit',
  'rewind.tags': 'Tags',
  'rewind.boards': 'Alben',
  'rewind.links': 'Ist nicht mehr per Link geteilt',
  'rewind.trashed': 'Kommt in den Papierkorb',
  'rewind.count.restored': { one: '{count} Element kommt zurück', other: '{count} Elemente kommen zurück' },
  'rewind.count.moved': {
    one: '{count} Element wird zurückverschoben',
    other: '{count} Elemente werden zurückverschoben',
  },
  'rewind.count.renamed': {
    one: '{count} Element erhält seinen früheren Namen',
    other: '{count} Elemente erhalten ihre früheren Namen',
  },
  'rewind.count.content': {
    one: '{count} Datei erhält ihren früheren Inhalt',
    other: '{count} Dateien erhalten ihre früheren Inhalte',
  },
  'rewind.count.favorite': { one: '{count} Favorit ändert sich', other: '{count} Favoriten ändern sich' },
  'rewind.count.tags': {
    one: '{count} Element erhält seine früheren Tags',
    other: '{count} Elemente erhalten ihre früheren Tags',
  },
  'rewind.count.boards': {
    one: '{count} Datei kommt zurück in ein Album oder verlässt es',
    other: '{count} Dateien kommen zurück in Alben oder verlassen sie',
  },
  'rewind.count.links': {
    one: '{count} Element ist nicht mehr per Link geteilt',
    other: '{count} Elemente sind nicht mehr per Link geteilt',
  },
  'rewind.count.others': {
    one: '{count} Album, Kommentar oder Kontakt kommt zurück',
    other: '{count} Alben, Kommentare und Kontakte kommen zurück',
  },
  'rewind.count.trashed': {
    one: '{count} Element kommt in den Papierkorb',
    other: '{count} Elemente kommen in den Papierkorb',
  },
  'rewind.count.left': { one: '{count} Element bleibt, wie es ist', other: '{count} Elemente bleiben, wie sie sind' },
};
