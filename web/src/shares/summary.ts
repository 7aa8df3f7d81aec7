// A link's rights, limits and use in one line.
import type { Schemas } from '../api/client';
import { t } from '../words';
import { ago, day } from '../words/formats';
import { lastMoment } from './limits';

export function summaryOf(link: Schemas['OwnShare']): string {
  return [
    link.isLive ? '' : t('shares.expired'),
    link.rights === 'add' ? t('shares.rights.add') : link.rights === 'send' ? t('shares.rights.send') : '',
    link.expiryDate ? t('shares.ends', { day: day(lastMoment(link.expiryDate)) }) : '',
    link.hasPassword ? t('shares.protected') : '',
    link.maxDownloads ? t('shares.limited', { count: link.downloads, limit: link.maxDownloads }) : '',
    link.uploads ? t('shares.uploads', { count: link.uploads }) : '',
    t('shares.visits', { count: link.visits }),
    link.lastVisitDate ? t('shares.last-visit', { when: ago(link.lastVisitDate) }) : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
