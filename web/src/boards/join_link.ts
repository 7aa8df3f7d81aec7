// Links to join a board lead to /#invitation=<token>. The token is removed from the URL first of all and kept in memory
// until the user has decided.
import { pathTo, router } from '../app/router.svelte';
import { tokenIn } from './invitation_link';

/** Takes the place of a board's key in the route; no board has this key. */
export const JOIN = 'join';

let token: string | null = null;

function takeToken(): void {
  const found = tokenIn(location.hash);
  if (!found) return;
  token = found;
  router.go(pathTo('boards', JOIN), { replace: true });
}

export function watchJoinLinks(): void {
  takeToken();
  addEventListener('hashchange', takeToken);
}

export function invitationToken(): string | null {
  return token;
}

export function forgetInvitation(): void {
  token = null;
}
