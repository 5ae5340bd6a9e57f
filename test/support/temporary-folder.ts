import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is deleted after the test that created it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'leanscope-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
