import { existsSync } from 'node:fs';
import { test } from 'vitest';

type DefineTest = (title: string, run: () => void | Promise<void>) => void;

/**
 * `test`, unless something that it needs is missing: then the test is skipped, with the reason in its title, which
 * `npm test` prints. No test is skipped in another way (test/rules).
 */
export function testUnless(missing: string | undefined): DefineTest {
  return (title, run) => {
    if (missing === undefined) test(title, run);
    else test.skip(`${title} (skipped: ${missing})`, run);
  };
}

/** For `testUnless`: why processes cannot be looked at. */
export const NO_PROC = process.platform === 'linux' ? undefined : 'there is no /proc';

/** `test` where processes can be looked at. */
export const onLinux = testUnless(NO_PROC);

/** The reason for `testUnless` if a file or folder is missing; undefined if it exists. */
export function missingFile(path: string): string | undefined {
  return existsSync(path) ? undefined : `there is no ${path}`;
}
