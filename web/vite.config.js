import { svelte } from '@sveltejs/vite-plugin-svelte';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';
import { buildServiceWorker } from './scripts/service_worker.mjs';

const SERVER = process.env.SKYSHELF_SERVER ?? 'http://127.0.0.1:8600';
const CALLS = [
  '/security',
  '/app',
  '/nms',
  '/share',
  '/l/',
  '/download',
  '/upload',
  '/boards',
  '/invites',
  '/amiko',
  '/promo',
  '/cspp',
  '/x/',
];

const BUILT = '../src/skyshelf/server/web_client/built';

/**
 * Adds the service worker, and puts a packed form beside every file that gets smaller by it; the server sends the one
 * that the browser takes.
 */
const packed = {
  name: 'packed',
  apply: 'build',
  async closeBundle() {
    await buildServiceWorker(BUILT);
    for (const name of await readdir(BUILT, { recursive: true })) {
      if (!/\.(js|css|html|svg|webmanifest|wasm)$/.test(name)) continue;
      const body = await readFile(join(BUILT, name));
      const brotli = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
      const gzip = gzipSync(body, { level: 9 });
      if (brotli.length < body.length) await writeFile(join(BUILT, `${name}.br`), brotli);
      if (gzip.length < body.length) await writeFile(join(BUILT, `${name}.gz`), gzip);
    }
  },
};

export default defineConfig({
  plugins: [svelte(), packed],
  // The server sends the built files from here; they go into the wheel.
  build: {
    outDir: BUILT,
    emptyOutDir: true,
    target: 'es2022',
    // Inlined assets would be data: addresses, which the content security policy does not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What the first page needs is one script and one style: on a slow line every further file costs a way there and
    // back, since a browser asks for six at a time.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
  // `npx vite` while working on a page: it asks a running server for everything else.
  server: { proxy: Object.fromEntries(CALLS.map((path) => [path, { target: SERVER, changeOrigin: true }])) },
  worker: { format: 'es' },
});
