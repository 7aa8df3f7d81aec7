// Putting a link where it can be pasted from.
import { notices } from '../app/notices.svelte';
import { t } from '../words';

export async function copyLink(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    notices.say(t('share.copied'));
  } catch {
    // Without the permission, or without TLS: the person copies it by hand.
    prompt(t('share.copy'), link);
  }
}
