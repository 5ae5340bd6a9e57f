import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { openGunzip } from '../../../electron/source/read-bytes.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { NOTHING_CHOSEN } from '../../../shared/facts/choice.ts';
import { detectFormat } from '../../../shared/input/detect-format.ts';
import { ProfileReader } from '../../../shared/input/profile-reader.ts';
import { storageOf } from '../../../shared/input/input-unpacker.ts';
import { missingFile, testUnless } from '../../support/test-unless.ts';
import { testSize } from '../../support/test-size.ts';

// The files of a machine are no profiles: fonts, icons, tables of words and numbers, programs, archives, pages.

vi.setConfig({ testTimeout: testSize(240_000, 0) });

/** Outputs of failed tests, which Debian packs with a JDK: some have thread dumps. */
const REAL = /\/failed_tests[^/]*\.tar\.gz$/;

const MOST_FILE_BYTES = 5_000_000;

/** Each file below a folder that can be read, smaller than MOST_FILE_BYTES. */
function* filesBelow(top: string): Generator<readonly [path: string, content: Uint8Array]> {
  const folders = [top];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      const content = entry.isFile() ? contentOf(path) : undefined;
      if (content !== undefined) yield [path, content];
    }
  }
}

function entriesOf(folder: string): ReturnType<typeof entries> {
  try {
    return entries(folder);
  } catch {
    return [];
  }
}

const entries = (folder: string) => readdirSync(folder, { withFileTypes: true });

/** Undefined if the file is too large or cannot be read. */
function contentOf(path: string): Uint8Array | undefined {
  try {
    return lstatSync(path).size < MOST_FILE_BYTES ? new Uint8Array(readFileSync(path)) : undefined;
  } catch {
    return undefined;
  }
}

/** How the file is read; undefined if it is refused. */
async function openedAs(content: Uint8Array): Promise<string | undefined> {
  // Nearly all files are refused by their first bytes.
  if (storageOf(content) === 'uncompressed') {
    const detected = detectFormat(content, true);
    if (detected === undefined || (detected.format === undefined && detected.isTar !== true))
      return undefined;
  }
  const reader = new ProfileReader(new ProfileAggregator(), NOTHING_CHOSEN, openGunzip);
  try {
    await reader.push(content);
    await reader.end();
    const { format, samples, problem } = reader.facts();
    return problem === undefined && content.length > 0
      ? `${format ?? 'nothing'}, ${samples} samples`
      : undefined;
  } finally {
    reader.close();
  }
}

for (const folder of testSize(['/etc', '/usr/share/fonts'], ['/etc', '/usr'])) {
  testUnless(missingFile(folder))(`no file of ${folder} is opened as a profile`, async () => {
    const opened: string[] = [];
    let files = 0;
    for (const [path, content] of filesBelow(folder)) {
      files++;
      const found = REAL.test(path) ? undefined : await openedAs(content);
      if (found !== undefined) opened.push(`${path}: ${found}`);
    }
    console.log(`${folder}: ${files} files tried`);
    expect(opened).toEqual([]);
  });
}
