import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll } from 'vitest';

/** The thread that reads a log; see `useBuiltWorker`. */
export const useLogWorker = (): (() => URL) => useBuiltWorker('electron/worker/log-worker.ts');

/**
 * Builds the entry of a worker thread for the tests of a file, as JavaScript: a worker thread cannot load TypeScript.
 * Takes some 100 ms. The function returned gives its URL.
 */
export function useBuiltWorker(entry: string): () => URL {
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'leanscope-worker-'));
    await build({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      ssr: { noExternal: true },
      build: {
        ssr: fileURLToPath(new URL(`../../${entry}`, import.meta.url)),
        outDir: folder,
        emptyOutDir: false,
        target: 'node20.19',
        rolldownOptions: { output: { entryFileNames: 'worker.mjs', chunkFileNames: '[name].mjs' } },
      },
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => pathToFileURL(join(folder, 'worker.mjs'));
}
