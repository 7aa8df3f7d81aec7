// Builds src/guest/main.ts, the script of public galleries, to assets/guest-*: apart from the client, of which guests load nothing.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

export async function buildGuestScript(folder) {
  await build({
    configFile: false,
    // Styles find the typeface beside them.
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
