import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/**
 * The Node side. Two builds, told apart by `--mode`, because a sandboxed preload script must be one file:
 *
 *   node     main.cjs, cli.cjs, log-worker.cjs, range-worker.cjs and the chunks they share
 *   preload  preload.cjs, which requires nothing but 'electron'
 *
 * CommonJS, because Node loads its own loader of ES modules first, in the process and in every thread again: a summary
 * of a small log took a tenth longer. Everything else is bundled, so that the packaged program carries no node_modules.
 * The output is flat: `new URL('./log-worker.cjs', import.meta.url)` must hold from whichever chunk it ends up in.
 */
export default defineConfig(({ mode }) => {
  const isPreload = mode === 'preload';
  const entry = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  return {
    root: import.meta.dirname,
    publicDir: false,
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    // Its modules for browsers can be taken in parts; those for Node come as a whole, which every log worker would load.
    resolve: { alias: { yaml: entry('node_modules/yaml/browser/dist/index.js') } },
    ssr: { noExternal: true, external: ['electron'] },
    build: {
      ssr: true,
      target: 'node20.19',
      outDir: 'dist/electron',
      emptyOutDir: false,
      minify: false,
      sourcemap: true,
      reportCompressedSize: false,
      rolldownOptions: {
        input: isPreload
          ? { preload: entry('electron/desktop/preload.ts') }
          : {
              main: entry('electron/main.ts'),
              cli: entry('electron/cli/leanscope.ts'),
              'log-worker': entry('electron/worker/log-worker.ts'),
              'range-worker': entry('electron/ranges/range-worker.ts'),
            },
        output: {
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: 'chunk-[name].cjs',
          // A file costs about a millisecond to open: what most decoders have in common, and what tells them apart, is one.
          codeSplitting: isPreload
            ? false
            : {
                groups: [
                  {
                    name: 'common',
                    test: /\/shared\/(?!formats\/[^/]+\/|export|views|protocol|unpack\/zip)/,
                  },
                ],
              },
        },
      },
    },
  };
});
