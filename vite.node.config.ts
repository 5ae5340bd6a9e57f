import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/**
 * The Node side. Two builds, selected by `--mode`, because a sandboxed preload script must be one file:
 *
 *   node     main.cjs, cli.cjs, log-worker.cjs, mcp-worker.cjs and the chunks they share
 *   preload  preload.cjs, which requires nothing but 'electron'
 *
 * CommonJS, because for ES modules Node first loads its loader, again in every thread: a summary of a small log took a
 * tenth longer. All packages are bundled, so the packaged program has no node_modules. All files of the output are in
 * one folder: `new URL('./log-worker.cjs', import.meta.url)` must be right in every chunk.
 */
export default defineConfig(({ mode }) => {
  const isPreload = mode === 'preload';
  const entry = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  return {
    root: import.meta.dirname,
    publicDir: false,
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    ssr: { noExternal: true, external: ['electron', '@duckdb/node-api', '@resvg/resvg-js'] },
    build: {
      ssr: true,
      target: 'node20.19',
      outDir: 'dist/electron',
      emptyOutDir: false,
      minify: false,
      sourcemap: true,
      reportCompressedSize: false,
      rolldownOptions: {
        // Exports are loaded one by one, although some share the code of others.
        checks: { ineffectiveDynamicImport: false },
        input: isPreload
          ? { preload: entry('electron/desktop/preload.ts') }
          : {
              main: entry('electron/main.ts'),
              cli: entry('electron/cli/leanscope.ts'),
              'log-worker': entry('electron/worker/log-worker.ts'),
              'mcp-worker': entry('electron/cli/mcp/mcp-worker.ts'),
            },
        output: {
          format: 'cjs',
          // Reading them took each start of the command line a twentieth longer.
          comments: { legal: true, annotation: false, jsdoc: false },
          entryFileNames: '[name].cjs',
          chunkFileNames: 'chunk-[name].cjs',
          // Opening a file takes about a millisecond, so the modules that most decoders share are one chunk.
          codeSplitting: isPreload
            ? false
            : {
                groups: [
                  {
                    name: 'common',
                    test: /^(?!.*node_modules).*\/shared\/(?!formats\/[^/]+\/|export|engine\/(?:views|comparison)|protocol|draw|agent|read\/unpack)/,
                  },
                ],
              },
        },
      },
    },
  };
});
