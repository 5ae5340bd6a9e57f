import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { frame, log, method, thread, trace } from './log-bytes.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { WatchedLog } from './watched-log.ts';

/** The beginning of a log: one thread, one method, one sample. */
export const names = log(
  thread(7, 'main'),
  trace(7, 1, frame(0x10, 3, 12), method(0x10, 'Shop.java', 'LShop;', 'main')),
);
/** A second sample with another method. */
export const draw = trace(
  7,
  2,
  frame(0x20, 5, 20),
  method(0x20, 'Shop.java', 'LShop;', 'draw'),
  frame(0x10, 3, 12),
);
/** Three samples. */
export const shop = log(names, draw, trace(7, 4, frame(0x10, 3, 12)));
/** A log with nothing in common with `shop`. */
export const other = log(
  thread(9, 'worker'),
  trace(9, 100, frame(0x30, 1, 2), method(0x30, 'Other.java', 'LOther;', 'run')),
);

export function fileWith(content: Uint8Array): string {
  const path = join(temporaryFolder(), 'a.hpl');
  writeFileSync(path, content);
  return path;
}

/** A log that was read to its end. */
export async function watching(
  content: Uint8Array,
  options?: ConstructorParameters<typeof WatchedLog>[1],
): Promise<{ readonly path: string; readonly watched: WatchedLog }> {
  const path = fileWith(content);
  const watched = new WatchedLog(path, options);
  await watched.clock.pass(100);
  return { path, watched };
}
