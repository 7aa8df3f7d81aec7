// Alarms: devices that changed unusually much at once.
export const enAlarms = {
  'event.alarm.raised': 'A device was paused, because it changed unusually much',
  'event.alarm.allowed': 'A paused device was allowed to go on',
  'event.alarm.session-ended': 'A paused device was logged out',
  'event.alarm.limit-changed': 'The limit at which devices are paused was changed',
  'alarm.banner': '{name} has changed unusually much and is paused.',
  'alarm.banner.this': 'This browser has changed unusually much and is paused.',
  'alarm.look': 'Look at it',
  'alarm.title': '{name} is paused',
  'alarm.removed': 'A removed device',
  'alarm.text': 'It began {when}. Until you decide, it can read and add files, and nothing else.',
  'alarm.deleted': { one: '{count} item deleted', other: '{count} items deleted' },
  'alarm.overwritten': { one: '{count} file overwritten', other: '{count} files overwritten' },
  'alarm.moved': { one: '{count} item renamed or moved', other: '{count} items renamed or moved' },
  'alarm.scrambled': { one: '{count} file looks encrypted', other: '{count} files look encrypted' },
  'alarm.choice':
    'If this was you, let the device go on. If not, log it out: then nobody can use it until somebody logs in there again. What it did is kept in the history.',
  'alarm.later': 'Decide later',
  'alarm.allow': 'It was me: allow it',
  'alarm.allowed': '{name} can go on',
  'alarm.end': 'Log it out',
  'alarm.ended': '{name} is logged out',
  'error.SKY2050':
    'This browser is paused, because it deleted, replaced or moved unusually much in a short time. Decide at the top of the page, or on another device.',
  'error.SKY2051': 'This needs your password or a passkey.',
};
