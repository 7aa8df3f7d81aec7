// Der Export eines Kontos.
import type { enExport } from './en_export';

export const deExport: Record<keyof typeof enExport, string | { one: string; other: string }> = {
  'section.export': 'Export',
  'settings.export.text':
    'Laden Sie alles aus Ihrem Konto in offenen Formaten herunter: Dateien mit Datum und Versionen, den Papierkorb, Alben mit Bildtexten und Kommentaren, Kontakte, Links und den Verlauf. Ihr Konto hat {size}.',
  'settings.export.begin': 'Alles exportieren',
  'settings.export.confirm':
    'Bestätigen Sie, dass Sie es sind. Der Export steht unter Ihren Ereignissen, und Sie erhalten eine Nachricht, wenn dieser Server E-Mails verschickt.',
  'settings.export.part-size': 'Größe der Teile',
  'settings.export.parts': {
    one: 'Der Export hat {count} Teil, insgesamt {size}. Er lässt sich bis {date} herunterladen.',
    other:
      'Der Export hat {count} Teile, insgesamt {size}. Sie lassen sich bis {date} herunterladen. Entpacken Sie alle in denselben Ordner.',
  },
  'settings.export.part': 'Teil {number} herunterladen ({size})',
  'settings.export.again': 'Teil {number} wurde begonnen; noch einmal herunterladen',
  'event.account.exported': 'Ein Export von allem wurde begonnen',
};
