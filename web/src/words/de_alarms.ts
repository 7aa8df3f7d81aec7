import type { enAlarms } from './en_alarms';

// Alarme: Geräte, die auf einmal ungewöhnlich viel geändert haben.
export const deAlarms: Record<keyof typeof enAlarms, string | { one: string; other: string }> = {
  'event.alarm.raised': 'Ein Gerät wurde angehalten, weil es ungewöhnlich viel geändert hat',
  'event.alarm.allowed': 'Ein angehaltenes Gerät darf weitermachen',
  'event.alarm.session-ended': 'Ein angehaltenes Gerät wurde abgemeldet',
  'event.alarm.limit-changed': 'Die Grenze, ab der Geräte angehalten werden, wurde geändert',
  'alarm.banner': '{name} hat ungewöhnlich viel geändert und ist angehalten.',
  'alarm.banner.this': 'Dieser Browser hat ungewöhnlich viel geändert und ist angehalten.',
  'alarm.look': 'Ansehen',
  'alarm.title': '{name} ist angehalten',
  'alarm.removed': 'Ein entferntes Gerät',
  'alarm.text':
    'Es begann {when}. Bis du entscheidest, kann das Gerät Dateien lesen und hinzufügen, aber nichts anderes.',
  'alarm.deleted': { one: '{count} Element gelöscht', other: '{count} Elemente gelöscht' },
  'alarm.overwritten': { one: '{count} Datei überschrieben', other: '{count} Dateien überschrieben' },
  'alarm.moved': {
    one: '{count} Element umbenannt oder verschoben',
    other: '{count} Elemente umbenannt oder verschoben',
  },
  'alarm.marked': {
    one: '{count} Favorit oder Schlagwort geändert',
    other: '{count} Favoriten oder Schlagwörter geändert',
  },
  'alarm.scrambled': { one: '{count} Datei sieht verschlüsselt aus', other: '{count} Dateien sehen verschlüsselt aus' },
  'alarm.choice':
    'Wenn du das warst, lass das Gerät weitermachen. Wenn nicht, melde es ab: dann kann es niemand benutzen, bis sich dort wieder jemand anmeldet. Was es getan hat, bleibt im Verlauf.',
  'alarm.later': 'Später entscheiden',
  'alarm.allow': 'Das war ich: erlauben',
  'alarm.allowed': '{name} darf weitermachen',
  'alarm.end': 'Abmelden',
  'alarm.rewind': 'Abmelden und rückgängig machen',
  'alarm.rewind.this': 'Rückgängig machen',
  'alarm.rewinding': 'Was {name} getan hat, wird rückgängig gemacht. Was andere seitdem geändert haben, bleibt.',
  'alarm.ended': '{name} ist abgemeldet',
  'settings.alarm': 'Ungewöhnliche Änderungen',
  'settings.alarm.text':
    'Ein Gerät, das plötzlich sehr viel löscht, überschreibt oder verschiebt, wird angehalten, bis Sie entscheiden: ein fehlerhaftes Skript oder ein gestohlener Laptop.',
  'settings.alarm.limit': 'Änderungen in zehn Minuten',
  'settings.alarm.limit.hint':
    'Was verschlüsselt aussieht, zählt zehnfach, Bearbeitetes und Verschobenes ein Viertel. Mindestens 50; 0 hält nie ein Gerät an.',
  'settings.alarm.choose': 'Grenze speichern',
  'settings.alarm.chosen': {
    one: 'Geräte werden bei {count} Änderung angehalten',
    other: 'Geräte werden bei {count} Änderungen angehalten',
  },
  'settings.alarm.off': 'Es wird kein Gerät mehr angehalten',
  'settings.alarm.title': 'Geräte später oder nie anhalten?',
  'settings.alarm.less':
    'Eine gestohlene Sitzung könnte mehr ändern, bevor es jemand bemerkt. Bestätigen Sie, dass Sie es sind.',
  'error.SKY2050':
    'Dieser Browser ist angehalten, weil er in kurzer Zeit ungewöhnlich viel gelöscht, ersetzt oder verschoben hat. Entscheide oben auf der Seite oder auf einem anderen Gerät.',
  'error.SKY2051': 'Dafür wird dein Passwort oder ein Passkey gebraucht.',
};
