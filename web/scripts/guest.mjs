// Builds src/guest/main.ts, the script of public galleries, to assets/guest-*: separate from the client, so guests load none of it.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

export async function buildGuestScript(folder) {
  await build({
    configFile: false,
    // Styles expect the typeface next to them.
    base: './',
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        checks: { bundlerTimings: false },
        input: { guest: fileURLToPath(new URL('../src/guest/main.ts', import.meta.url)) },
        output: {
          entryFileNames: 'assets/guest-[hash].js',
          // The typeface is the client's own file.
          assetFileNames: ({ names }) =>
            names[0]?.endsWith('.css') ? 'assets/guest-[hash][extname]' : 'assets/[name]-[hash][extname]',
        },
      },
    },
  });
}
