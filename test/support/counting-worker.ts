import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Wraps another worker and records each start. The first `deaths` starts end with an error. */
export function countingWorker(
  folder: string,
  worker: URL,
  deaths = 0,
): { readonly workerUrl: URL; readonly starts: () => number } {
  const started = join(folder, 'started');
  const file = join(folder, 'counting-worker.mjs');
  writeFileSync(
    file,
    `import { appendFileSync, readFileSync } from 'node:fs';
     appendFileSync(${JSON.stringify(started)}, 'x');
     if (readFileSync(${JSON.stringify(started)}).length <= ${deaths}) throw new Error('boom');
     await import(${JSON.stringify(worker.href)});`,
  );
  return {
    workerUrl: pathToFileURL(file),
    starts: () => (existsSync(started) ? readFileSync(started).length : 0),
  };
}
