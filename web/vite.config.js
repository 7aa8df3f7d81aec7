import { svelte } from '@sveltejs/vite-plugin-svelte';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';
import { cities } from './scripts/cities.mjs';
import { buildGuestScript } from './scripts/guest.mjs';
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

/** Builds the guests' script and the service worker, and adds compressed copies of the files; the server sends the one that the browser accepts. */
const compress = {
  name: 'compress',
  apply: 'build',
  async closeBundle() {
    await buildGuestScript(BUILT);
    await buildServiceWorker(BUILT);
    for (const name of await readdir(BUILT, { recursive: true })) {
      if (!/\.(js|css|html|svg|webmanifest|wasm|json)$/.test(name)) continue;
      const body = await readFile(join(BUILT, name));
      const brotli = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
      const gzip = gzipSync(body, { level: 9 });
      if (brotli.length < body.length) await writeFile(join(BUILT, `${name}.br`), brotli);
      if (gzip.length < body.length) await writeFile(join(BUILT, `${name}.gz`), gzip);
    }
  },
};

/** Loads the prefetch script (api/prefetch.ts) first: it runs as soon as it has loaded, before the main script. */
const prefetch = {
  name: 'prefetch',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(page, { bundle }) {
      const { fileName } = Object.values(bundle).find((chunk) => chunk.name === 'prefetch');
      const references = new RegExp(`\\s*<script[^>]*${fileName}[^>]*></script>|\\s*<link[^>]*${fileName}[^>]*>`, 'g');
      // The page's other scripts wait for its styles; this one must not.
      const attrs = { type: 'module', async: true, fetchpriority: 'high', crossorigin: true, src: `/${fileName}` };
      // The typeface's Latin letters are needed for the first words, and would wait for the styles otherwise.
      const type = Object.values(bundle).find((file) => /inter-latin-wght-normal.*\.woff2$/.test(file.fileName));
      const font = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${type.fileName}` };
      return {
        html: page.replace(references, ''),
        tags: [
          { tag: 'script', attrs, injectTo: 'head-prepend' },
          { tag: 'link', attrs: font, injectTo: 'head' },
        ],
      };
    },
  },
};
const PREFETCH = /src\/(api\/(prefetch|headers|constants)|words\/languages|app\/(theme|place))\.ts$/;

export default defineConfig({
  // The server may be below a path of its host: scripts and styles find their files relative to themselves. In the page,
  // the server puts its path in front.
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  plugins: [svelte(), cities, compress, prefetch],
  // The server sends the built files from here; they go into the wheel.
  build: {
    outDir: BUILT,
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy does not allow data: URLs, so no assets are inlined.
    assetsInlineLimit: 0,
    // The editor, which is loaded on demand.
    chunkSizeWarningLimit: 750,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Keep plugin timings out of the build's output.
      checks: { bundlerTimings: false },
      // The first page needs one script and one stylesheet: on a slow connection every further file costs a round trip.
      output: {
        codeSplitting: {
          groups: [
            { name: 'prefetch', test: PREFETCH, priority: 2 },
            { name: 'first', tags: ['$initial'], priority: 1 },
          ],
        },
      },
    },
  },
  // `npx vite` forwards API requests to a running server.
  server: { proxy: Object.fromEntries(CALLS.map((path) => [path, { target: SERVER, changeOrigin: true }])) },
  worker: { format: 'es' },
  // A test reads the colours.
  test: { css: true },
});
