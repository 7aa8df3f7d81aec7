// Builds src/sw/service_worker.ts to sw.js: one file with a fixed name and no imports, which every browser supports, and
// with the list of this build's shell files.
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

// Larger files, such as document viewers, are cached on first use; those that the page itself loads are always cached.
const MAX_PRECACHED = 120_000;

export async function buildServiceWorker(folder) {
  const files = [];
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const hash = createHash('sha256');
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    if (!/\.(js|css|html|svg|png|wasm|woff2)$/.test(name) || /^sw\.js$|^assets\/guest-/.test(name)) continue;
    const body = await readFile(join(folder, name));
    hash.update(name).update(body);
    // Letters of other scripts are cached when a page shows them.
    if (name.endsWith('.woff2') && !page.includes(name)) continue;
    if (/^assets\/|^icons\/icon\.svg$/.test(name) && (body.length <= MAX_PRECACHED || page.includes(name)))
      files.push(`/${name}`);
  }
  const source = fileURLToPath(new URL('../src/sw/service_worker.ts', import.meta.url));
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: {
      // The service worker is not a module; its own address says where the server is (app/place.ts).
      'import.meta.url': 'self.location.href',
      SHELL: JSON.stringify({ version: hash.digest('hex').slice(0, 12), files }),
    },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      rolldownOptions: {
        checks: { bundlerTimings: false },
        input: source,
        output: { format: 'iife', entryFileNames: 'sw.js' },
      },
    },
  });
}
