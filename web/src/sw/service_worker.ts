// The service worker: the drive opens without a connection, and takes what other applications share. The build puts the
// list of the files of the shell, and a version that changes with them, where SHELL is.
import { filesOf } from '../shared_in/received';
import { keepShared } from '../shared_in/shared_files';
import { Shell, wayOf } from './shell';

declare const SHELL: { version: string; files: string[] };
declare const self: ServiceWorkerGlobalScope;

const shell = new Shell(SHELL.version);

self.addEventListener('install', (event) => {
  // Pages of the build before keep working: their scripts stay where they are. So there is nothing to wait for.
  event.waitUntil(shell.keep(SHELL.files).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([shell.forgetOld(), self.registration.navigationPreload?.enable()]).then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  switch (wayOf(request.method, request.mode, new URL(request.url), self.location.origin)) {
    case 'page':
      return event.respondWith(
        shell.page(async () => ((await event.preloadResponse) as Response | undefined) ?? fetch(request)),
      );
    case 'shell':
      return event.respondWith(shell.file(request));
    case 'share':
      return event.respondWith(received(request));
  }
});

async function received(request: Request): Promise<Response> {
  await keepShared(filesOf(await request.formData()));
  return Response.redirect('/drive/files', 303);
}
