import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  makeTemporaryFolder,
  newRecordingName,
  temporaryPath,
} from '../../../electron/recording/recording-name.ts';
import { endedProcess } from '../../support/ended-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { onLinux } from '../../support/test-unless.ts';

onLinux('what a killed process left is removed before the next temporary file; all else stays', () => {
  const folder = temporaryFolder();
  const file = (name: string): void => writeFileSync(join(folder, name), 'x');
  const ended = endedProcess();
  file(`.${newRecordingName(ended)}.tmp`);
  file(`${newRecordingName(ended)}.tdump`);
  const left = join(folder, newRecordingName(ended));
  mkdirSync(left);
  writeFileSync(join(left, 'recording'), 'x');
  symlinkSync(temporaryFolder(), join(folder, newRecordingName(ended)));

  // A process that runs, names that are nobody's, and a folder in which somebody has put more than files.
  const running = `.${newRecordingName()}.tmp`;
  const deep = newRecordingName(ended);
  const kept = [running, 'leanscope-notes.txt', `my-${newRecordingName(ended)}.jfr`];
  kept.forEach(file);
  mkdirSync(join(folder, deep, 'more'), { recursive: true });

  const path = temporaryPath(folder, '.', '.tmp');
  expect(existsSync(path)).toBe(false);
  expect(readdirSync(folder).sort()).toEqual([...kept, deep].sort());
  const made = makeTemporaryFolder(folder);
  expect(statSync(made).mode & 0o777).toBe(0o700);
});
