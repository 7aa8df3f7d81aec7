// Logging out removes everything that the browser stores for the user.
import { palette } from '../search/palette.svelte';
import { takeShared } from '../shared_in/shared_files';
import { uploads } from '../upload/uploads.svelte';
import { dropDrafts } from '../editing/drafts';
import { session } from './session.svelte';

/** End the session and clear local data. The server's response also clears the browser's cached thumbnails. */
export async function logOut(): Promise<void> {
  const user = session.userId;
  await session.logout();
  sessionStorage.clear();
  palette.forget();
  dropDrafts(user);
  // A browser without storage has nothing to clear.
  await Promise.allSettled([uploads.forget(user), takeShared()]);
}
