// A link to join a board leads to /#invitation=<token>. The token is taken out of the address before anything else sees
// it, and kept by this page alone until the person has decided.
import { pathTo, router } from '../app/router.svelte';
import { tokenIn } from './invitation_link';

/** Stands where the key of a board stands: no board has such a key. */
export const JOIN = 'join';

let kept: string | null = null;

function take(): void {
  const token = tokenIn(location.hash);
  if (!token) return;
  kept = token;
  router.go(pathTo('boards', JOIN), { replace: true });
}

export function watchInvitations(): void {
  take();
  addEventListener('hashchange', take);
}

export function invitationToken(): string | null {
  return kept;
}

export function forgetInvitation(): void {
  kept = null;
}
