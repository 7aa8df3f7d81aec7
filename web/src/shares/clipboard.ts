// Copying a link to the clipboard.
import { notices } from '../app/notices.svelte';
import { t } from '../words';

export async function copyLink(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    notices.show(t('share.copied'));
  } catch {
    // Without permission or TLS: show the link, so the user can copy it.
    prompt(t('share.copy'), link);
  }
}

/** Copy a link that the page shows anyway; where the browser does not allow it, nothing happens. */
export async function copyIfAllowed(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    notices.show(t('share.copied'));
  } catch {
    // Without permission or TLS.
  }
}
