import type { enPasskeys } from './en_passkeys';

// Passkeys.
export const dePasskeys: Record<keyof typeof enPasskeys, string | { one: string; other: string }> = {
  'login.passkey': 'Mit Passkey anmelden',
  'login.passkey.use': 'Passkey verwenden',
  'login.passkey.second': 'Bestätige mit deinem Passkey: mit Smartphone, Computer oder Sicherheitsschlüssel.',
  'passkey.cancelled': 'Nichts wurde bestätigt: Es wurde abgebrochen oder hat zu lange gedauert. Versuche es erneut.',
  'passkey.known': 'Dieses Gerät oder dieser Sicherheitsschlüssel hat bereits einen Passkey für dein Konto.',
  'passkey.address':
    'Passkeys funktionieren nur unter einer Adresse mit https und einem Rechnernamen. Öffne diesen Server unter einer solchen Adresse; wer ihn betreibt, kennt sie.',
  'passkey.unsupported': 'Dieses Gerät oder dieser Browser kann das nicht. Versuche es mit einem anderen.',
  'passkey.failed': 'Der Browser konnte keinen Passkey verwenden: {reason}',
  'settings.passkeys': 'Passkeys',
  'settings.passkeys.text':
    'Melde dich mit Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel statt mit deinem Passwort an. Niemand kann einen Passkey erraten oder abfischen.',
  'settings.passkeys.add': 'Passkey hinzufügen',
  'settings.passkeys.add.text': 'Bestätige, dass du es bist. Dann fragt dein Browser, wo der Passkey gespeichert wird.',
  'settings.passkeys.create': 'Fortfahren',
  'settings.passkeys.name': 'Name',
  'settings.passkeys.name.hint': 'Damit du ihn später erkennst, etwa „Blauer Sicherheitsschlüssel“.',
  'settings.passkeys.done': 'Mit {name} kannst du dich jetzt anmelden',
  'settings.passkeys.added': 'hinzugefügt am {day}',
  'settings.passkeys.used': 'verwendet {when}',
  'settings.passkeys.unused': 'nie verwendet',
  'settings.passkeys.backed-up': 'vom Anbieter gesichert',
  'settings.passkeys.second': 'nur nach dem Passwort',
  'settings.passkeys.elsewhere': 'nur bei {host}',
  'settings.passkeys.rename': '{name} umbenennen',
  'settings.passkeys.rename.title': 'Passkey umbenennen',
  'settings.passkeys.remove': 'Passkey entfernen',
  'settings.passkeys.remove.name': '{name} entfernen',
  'settings.passkeys.remove.text':
    'Mit {name} kannst du dich dann nicht mehr anmelden. Angemeldete Geräte bleiben angemeldet. Lösche den Passkey auch auf deinem Gerät.',
  'settings.proof.passkey': 'Stattdessen Passkey verwenden',
  'settings.factor.passkey': 'Passkey verwenden',
  'settings.factor.passkey.text':
    'Nach dem Passwort wird bei der Anmeldung nach einem deiner Passkeys gefragt. Für den Tag, an dem du keinen zur Hand hast, bekommst du Wiederherstellungscodes.',
  'settings.factor.by-passkey': 'Bei der Anmeldung wird nach einem Passkey gefragt.',
  'admin.people.passkeys': { one: '{count} Passkey', other: '{count} Passkeys' },
  'admin.act.factor.passkeys': 'Auch alle Passkeys entfernen',
  'admin.act.factor.passkeys.hint':
    'Etwa nach einem Diebstahl. Die Geräte bleiben angemeldet, bis du ihre Sitzungen beendest.',
  'event.passkey.added': 'Passkey hinzugefügt',
  'event.passkey.removed': 'Passkey entfernt',
  'event.passkey.failed': 'Ein Passkey wurde abgelehnt',
  'event.passkey.counter-went-back': 'Ein Passkey wurde abgelehnt: Vielleicht gibt es eine Kopie davon',
  'event.passkey.reset': 'Die Verwaltung hat alle Passkeys entfernt',
  'error.SKY2040': 'Dieser Passkey wurde nicht angenommen. Versuche es erneut oder melde dich anders an.',
  'error.SKY2041':
    'Dieser Passkey hat nicht geprüft, dass du es bist. Richte dafür eine PIN oder einen Fingerabdruck ein oder melde dich mit deinem Passwort an.',
  'error.SKY2042':
    'Der Zähler dieses Passkeys ist zurückgegangen, vielleicht gibt es eine Kopie davon. Melde dich anders an, entferne den Passkey und füge ihn neu hinzu.',
  'error.SKY2043': 'Diesen Passkey gibt es nicht mehr.',
  'error.SKY2044': 'Dieser Passkey wurde bereits hinzugefügt.',
  'error.SKY2045': 'Passkeys funktionieren nur unter einer Adresse mit https und einem Rechnernamen.',
  'error.SKY2046':
    'Anmeldungen brauchen diesen Passkey: Er ist dein einziger zweiter Faktor. Füge einen weiteren hinzu oder schalte zuerst die Zwei-Faktor-Authentifizierung aus.',
};
