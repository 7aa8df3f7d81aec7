// What needs an operator's attention, in sentences.
import type { Schemas } from '../api/client';
import { t } from '../words';
import { dateTime } from '../words/formats';

export function problemsOf(health: Schemas['ServerHealth']): string[] {
  const unreachable = [
    ...(health.metadataState === 'unavailable' ? [t('admin.health.metadata')] : []),
    ...(health.blobsState === 'unavailable' ? [t('admin.health.blobs')] : []),
  ];
  return [
    ...unreachable.map((store) => t('admin.health.store', { store })),
    ...(health.hasSpace ? [] : [t('admin.health.full')]),
    ...(health.readOnlyReason ? [t('admin.health.read-only', { reason: health.readOnlyReason })] : []),
    ...(health.damagedContents ? [t('admin.health.damaged', { count: health.damagedContents })] : []),
    ...(health.backups.isFailing
      ? [
          t('admin.health.backup.failing', {
            when: dateTime(health.backups.failedDate ?? 0),
            reason: health.backups.failureReason ?? '',
          }),
        ]
      : []),
    ...(health.backups.isOverdue && health.lastBackupDate
      ? [t('admin.health.backup.overdue', { when: dateTime(health.lastBackupDate) })]
      : []),
    ...(health.backups.missingContents
      ? [t('admin.health.backup.missing', { count: health.backups.missingContents })]
      : []),
    ...health.stoppedJobs.map(({ name, reason, stoppedDate }) =>
      t('admin.health.stopped', { name, reason, when: dateTime(stoppedDate) }),
    ),
    ...health.failingJobs.map(({ name, attempts, error }) => t('admin.health.failing', { name, attempts, error })),
  ];
}
