import { missingFile, testUnless } from '../support/test-unless.ts';
import { DATA } from './other-projects/data.ts';

// Tests of files that other projects published. The files are not part of this one; they are read in a folder beside
// the checkout. Each format also has golden files of its own in test/golden, so a checkout alone tests all of them.

const missing = missingFile(DATA);
if (missing !== undefined) {
  testUnless(`${missing}, which has files of other projects and all output of the reference program`)(
    'what other programs wrote is read as they read it',
    () => undefined,
  );
} else {
  await import('./other-projects/hprof.ts');
  await import('./other-projects/honest-log.ts');
  await import('./other-projects/recordings.ts');
  await import('./other-projects/stacks.ts');
  await import('./other-projects/thread-dumps.ts');
  await import('./other-projects/any-format.ts');
}
