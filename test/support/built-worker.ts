import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll } from 'vitest';

/**
 * Builds the log worker for the tests of a file, as one JavaScript file: a worker thread cannot load TypeScript.
 * Takes some 100 ms. The function returned gives its URL.
 */
export function useLogWorker(): () => URL {
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'leanscope-worker-'));
    await build({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      ssr: { noExternal: true },
      build: {
        ssr: fileURLToPath(new URL('../../electron/worker/log-worker.ts', import.meta.url)),
        outDir: folder,
        emptyOutDir: false,
        target: 'node20.19',
        rolldownOptions: { output: { entryFileNames: 'log-worker.mjs' } },
      },
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => pathToFileURL(join(folder, 'log-worker.mjs'));
}
