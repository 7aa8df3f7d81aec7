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

const BUILT = '../src/skyshelf/server/pages/web_client/built';

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

/** The page names the file of early calls (api/early.ts) itself: it runs when it has come, before the large one. */
const early = {
  name: 'early',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(page, { bundle }) {
      const { fileName } = Object.values(bundle).find((one) => one.name === 'early');
      const named = new RegExp(`\\s*<script[^>]*${fileName}[^>]*></script>|\\s*<link[^>]*${fileName}[^>]*>`, 'g');
      // Other scripts of the page wait for its style; this one must not.
      const attrs = { type: 'module', async: true, fetchpriority: 'high', crossorigin: true, src: `/${fileName}` };
      return { html: page.replace(named, ''), tags: [{ tag: 'script', attrs, injectTo: 'head-prepend' }] };
    },
  },
};
const EARLY = /src\/(api\/(early|headers|constants)|words\/languages)\.ts$/;

export default defineConfig({
  plugins: [svelte(), packed, early],
  // The server sends the built files from here; they go into the wheel.
  build: {
    outDir: BUILT,
    emptyOutDir: true,
    target: 'es2022',
    // Inlined assets would be data: addresses, which the content security policy does not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // How long each plugin took is nothing to tell whoever sets up the project.
      checks: { bundlerTimings: false },
      // What the first page needs is one script and one style: on a slow line every further file costs a way there and
      // back, since a browser asks for six at a time.
      output: {
        codeSplitting: {
          groups: [
            { name: 'early', test: EARLY, priority: 2 },
            { name: 'first', tags: ['$initial'], priority: 1 },
          ],
        },
      },
    },
  },
  // `npx vite` while working on a page: it asks a running server for everything else.
  server: { proxy: Object.fromEntries(CALLS.map((path) => [path, { target: SERVER, changeOrigin: true }])) },
  worker: { format: 'es' },
});
