// The export of an account.
export const enExport = {
  'section.export': 'Export',
  'settings.export.text':
    'Download everything in your account in open forms: files with their dates and versions, the trash, albums with captions and comments, contacts, links and history. Your account has {size}.',
  'settings.export.begin': 'Export everything',
  'settings.export.confirm':
    'Confirm that it is you. The export is noted among your events, and you get a message where this server sends mail.',
  'settings.export.part-size': 'Size of the parts',
  'settings.export.parts': {
    one: 'The export has {count} part, {size} in all. It can be downloaded until {date}.',
    other:
      'The export has {count} parts, {size} in all. They can be downloaded until {date}. Unpack all of them into one folder.',
  },
  'settings.export.part': 'Download part {number} ({size})',
  'settings.export.again': 'Part {number} was begun; download it again',
  'event.account.exported': 'An export of everything was begun',
} as const;
