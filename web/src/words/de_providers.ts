import type { enProviders } from './en_providers';

export const deProviders: Record<keyof typeof enProviders, string> = {
  'login.provider': 'Anmelden mit {name}',
  'login.provider.or': 'oder',
  'login.provider.waiting': 'Anmeldung läuft …',
  'login.provider.again': 'Oder melde dich über deinen Anbieter an. Diese Seite wird dann neu geladen.',
  'login.provider.problem.ended':
    'Diese Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Versuche es noch einmal.',
  'login.provider.problem.cancelled': 'Die Anmeldung wurde beim Anbieter abgebrochen.',
  'login.provider.problem.refused':
    'Die Antwort des Anbieters konnte nicht angenommen werden. Versuche es noch einmal.',
  'login.provider.problem.unavailable':
    'Der Anbieter ist gerade nicht erreichbar. Versuche es gleich noch einmal, oder sag es der Person, die diesen Server betreibt.',
  'login.provider.problem.busy': 'Gerade melden sich viele an. Versuche es gleich noch einmal.',
  'login.provider.problem.throttled': 'Zu viele Versuche. Warte ein paar Minuten.',
  'login.provider.problem.group':
    'Du bist beim Anbieter angemeldet, aber in keiner Gruppe, die diesen Server nutzen darf. Frage die Person, die ihn betreibt.',
  'login.provider.problem.domain':
    'Du bist beim Anbieter angemeldet, aber deine E-Mail-Adresse gehört zu keiner Domain, die diesen Server nutzen darf.',
  'login.provider.problem.unverified':
    'Der Anbieter bestätigt deine E-Mail-Adresse nicht. Bestätige sie dort, und versuche es noch einmal.',

  'settings.identities': 'Anmeldung über Anbieter',
  'settings.identities.text': 'Melde dich hier mit einem Konto an, das du woanders hast.',
  'settings.identities.used': 'Zuletzt benutzt {when}',
  'settings.identities.gone': 'Bietet dieser Server nicht mehr an',
  'settings.identities.link': '{name} verknüpfen',
  'settings.identities.link.text':
    'Du wirst zu {name} geleitet. Nach der Anmeldung dort öffnet jenes Konto auch dieses.',
  'settings.identities.link.submit': 'Weiter zu {name}',
  'settings.identities.linked': 'Verknüpft. Du kannst dich jetzt auch so anmelden.',
  'settings.identities.unlink': 'Trennen',
  'settings.identities.unlink.name': '{name} trennen',
  'settings.identities.unlinked': '{name} öffnet dieses Konto nicht mehr.',
  'settings.identities.password':
    'Du meldest dich über einen Anbieter an. Mit einem Passwort kannst du dich ohne ihn anmelden, auch auf der Kommandozeile.',
  'settings.identities.fresh':
    'Dein Konto hat kein Passwort. Liegt deine Anmeldung mehr als 15 Minuten zurück, melde dich zuerst ab und wieder an.',

  'error.SKY2029': 'Dieses Konto ist gesperrt. Frage die Person, die diesen Server betreibt.',
  'error.SKY2030': 'Dieser Server bietet diesen Anbieter nicht mehr an. Lade die Seite neu.',
  'error.SKY2031': 'Diese Anmeldung hat zu lange gedauert. Beginne noch einmal.',
  'error.SKY2032':
    'Diese Identität ist schon mit einem Konto verknüpft, oder dein Konto hat eine andere bei diesem Anbieter.',
  'error.SKY2033': 'Diese Identität ist nicht mehr verknüpft.',
  'error.SKY2034':
    'Nichts sonst öffnet dein Konto. Lege zuerst ein Passwort fest, oder verknüpfe einen anderen Anbieter.',
  'error.SKY2035':
    'Deine Anmeldung liegt dafür zu lange zurück. Melde dich ab, über den Anbieter wieder an, und versuche es dann gleich.',
  'error.SKY2036': 'Der Anbieter ist gerade nicht erreichbar. Versuche es gleich noch einmal.',
  'error.SKY2037': 'Auf diesem Server gibt es kein Konto für dich. Frage die Person, die ihn betreibt.',
  'error.SKY2038':
    'Der Anbieter bestätigt deine E-Mail-Adresse nicht. Bestätige sie dort, und versuche es noch einmal.',
  'error.SKY2039':
    'Mit deiner E-Mail-Adresse gibt es schon ein Konto. Melde dich mit seinem Passwort an, und verknüpfe den Anbieter in den Einstellungen.',
};
