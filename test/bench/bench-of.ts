import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '../support/find-chromium.mjs';
import { writeLog } from '../support/log-writer/write-log.ts';
import { checksum, run } from './processes.ts';
import type { Bench, LogShapeName } from './row.ts';

/** The bench that a row is measured with. Logs in `folder` are found by the rows after it. */
export function benchOf(folder: string, short: boolean): Bench {
  const say = (line: string): void => void process.stderr.write(`  ${line}\n`);
  return {
    short,
    folder,
    say,
    log(shape: LogShapeName, bytes: number): Promise<string> {
      const path = join(folder, `${shape}-${bytes}.hpl`);
      if (!existsSync(path)) {
        say(`writing a log: ${shape}, ${(bytes / 1e6).toFixed(0)} MB …`);
        writeLog(`${path}.part`, shape, bytes);
        renameSync(`${path}.part`, path);
      }
      return Promise.resolve(path);
    },
    sha256Seconds: (file) => run(checksum(file)).seconds,
    get chromium() {
      const found = findChromium();
      if (found === undefined)
        throw new Error('no Chromium or Chrome found; name its program in CHROME_PATH');
      return found;
    },
  };
}
