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
  // What d3-flame-graph imports for a side effect, for one multiplication, or for nothing. See there.
  resolve: {
    alias: {
      'd3-transition': path('renderer/panes/flame/no-transition.ts'),
      'd3-scale': path('renderer/panes/flame/linear-scale.ts'),
      'd3-format': path('renderer/panes/flame/unused-d3.ts'),
      'd3-ease': path('renderer/panes/flame/unused-d3.ts'),
    },
  },
  worker: { format: 'es' },
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
