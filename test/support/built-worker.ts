import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { beforeAll } from 'vitest';

/** The thread that reads a log; see `useBuiltWorker`. */
export const useLogWorker = (): (() => URL) => useBuiltWorker('electron/worker/log-worker.ts');

/**
 * Builds the entry of a worker thread for the tests of a run, as JavaScript: a worker thread cannot load TypeScript. The
 * function returned gives its URL.
 */
export function useBuiltWorker(entry: string): () => URL {
  // Of this run: vitest.config.ts removes it at its end.
  const workers = join(process.env.XDG_CONFIG_HOME!, 'workers');
  const folder = join(workers, basename(entry, '.ts'));
  beforeAll(async () => {
    if (existsSync(folder)) return;
    mkdirSync(workers, { recursive: true });
    const next = mkdtempSync(`${folder}-`);
    await build({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      ssr: { noExternal: true },
      build: {
        ssr: fileURLToPath(new URL(`../../${entry}`, import.meta.url)),
        outDir: next,
        emptyOutDir: false,
        target: 'node20.19',
        rolldownOptions: { output: { entryFileNames: 'worker.mjs', chunkFileNames: '[name].mjs' } },
      },
    });
    try {
      renameSync(next, folder);
    } catch {
      // Another test file was faster.
      rmSync(next, { recursive: true });
    }
  });
  return () => pathToFileURL(join(folder, 'worker.mjs'));
}
