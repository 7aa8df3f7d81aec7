// The service worker: opens the client offline, receives files shared by other apps and finishes the uploads of closed
// pages. The build replaces SHELL with the list of the shell's files and their version.
import { filesOf } from '../shared_in/share_target';
import { storeShared } from '../shared_in/shared_files';
import { SYNC_TAG } from '../upload/stored_queue';
import { Shell, handlerOf } from './shell';
import { finishUploads } from './uploads';

interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

declare const SHELL: { version: string; files: string[] };
declare const self: ServiceWorkerGlobalScope;

// This file is at the server's root, wherever that is on its host.
const PLACE = self.location.pathname.replace(/\/sw\.js$/, '');
const shell = new Shell(SHELL.version, PLACE);

self.addEventListener('install', (event) => {
  // Open pages of the previous build keep working, because their scripts stay cached: activate without waiting.
  event.waitUntil(shell.precache(SHELL.files).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([shell.deleteOutdated(), self.registration.navigationPreload?.enable()]).then(() =>
      self.clients.claim(),
    ),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  switch (handlerOf(request.method, request.mode, new URL(request.url), self.location.origin, PLACE)) {
    case 'page':
      return event.respondWith(
        shell.page(async () => ((await event.preloadResponse) as Response | undefined) ?? fetch(request)),
      );
    case 'shell':
      return event.respondWith(shell.file(request));
    case 'share':
      return event.respondWith(receiveShare(request));
  }
});

// Only browsers with Background Sync send it.
self.addEventListener('sync', (event) => {
  const sync = event as SyncEvent;
  if (sync.tag.startsWith(SYNC_TAG)) sync.waitUntil(finishUploads());
});

async function receiveShare(request: Request): Promise<Response> {
  await storeShared(filesOf(await request.formData()));
  return Response.redirect(`${PLACE}/drive/files`, 303);
}
