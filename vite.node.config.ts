import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const HELPERS = '\0rolldown/runtime.js';

/**
 * Removes what Rolldown writes into nearly every chunk: `const require_x = require('./chunk-x.cjs');` without a use of
 * `require_x`, where chunk x has Rolldown's helpers for CommonJS packages, and so these packages. Each command and each
 * log worker would load the web server before it begins.
 */
function withoutUnusedHelpers(): Plugin {
  return {
    name: 'without-unused-helpers',
    renderChunk: (code, _chunk, _options, { chunks }) => {
      const withHelpers = Object.values(chunks).find(({ moduleIds }) => moduleIds.includes(HELPERS));
      const requires = [...code.matchAll(/^const (\w+) = require\("\.\/([^"]+)"\);$/gm)];
      const [line, name] = requires.find(([, , file]) => file === withHelpers?.fileName) ?? [];
      if (line === undefined) return null;
      const isUsed = code.split(new RegExp(`\\b${name}\\b`)).length > 2;
      // The line stays, for the source map.
      return isUsed ? null : { code: code.replace(line, ''), map: null };
    },
  };
}

/**
 * The Node side. Two builds, selected by `--mode`, because a sandboxed preload script must be one file:
 *
 *   node     main.cjs, cli.cjs, log-worker.cjs and the chunks they share
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
    plugins: [withoutUnusedHelpers()],
    publicDir: false,
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    // Unused modules of the browser's version can be left out of the bundle; Node's version is bundled completely.
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
            },
        output: {
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: 'chunk-[name].cjs',
          // Opening a file takes about a millisecond, so the modules that most decoders share are one chunk.
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
