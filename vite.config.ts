import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The window: static files that either host serves, from whatever path. */
export default defineConfig({
  root: path('renderer'),
  base: './',
  publicDir: false,
  plugins: [react()],
  // Exports are loaded one by one, although some share the code of others.
  worker: { format: 'es', rolldownOptions: { checks: { ineffectiveDynamicImport: false } } },
  build: {
    outDir: path('dist/renderer'),
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: 'chrome130',
    // The content security policy allows no data: addresses for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
