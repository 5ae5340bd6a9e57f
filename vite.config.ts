import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Exports are loaded one by one, although some share the code of others. How long plugins take is of no interest. */
const OPTIONS = { checks: { ineffectiveDynamicImport: false, bundlerTimings: false } };

/** The window: static files that either host serves, from whatever path. */
export default defineConfig({
  root: path('renderer'),
  base: './',
  publicDir: false,
  plugins: [react()],
  worker: { format: 'es', rolldownOptions: OPTIONS },
  build: {
    outDir: path('dist/renderer'),
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: 'chrome130',
    // The content security policy allows no data: addresses for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The window comes from the same machine, and is needed as a whole.
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: OPTIONS,
  },
});
