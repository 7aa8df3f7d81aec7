// To log out is to leave nothing behind: what the browser holds of the person goes with the session.
import { takeShared } from '../shared_in/shared_files';
import { uploads } from '../upload/uploads.svelte';
import { session } from './session.svelte';

/** Ends the session, and what was kept for it. The server has the browser forget the pictures that it has seen. */
export async function logOut(): Promise<void> {
  const user = session.userId;
  await session.logout();
  sessionStorage.clear();
  // Where a browser keeps nothing, there is nothing to take out.
  await Promise.allSettled([uploads.forget(user), takeShared()]);
}
