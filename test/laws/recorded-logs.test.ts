import { test } from 'vitest';
import { expectGrownAtRandom } from '../support/grown-at-random.ts';
import { recordedLogs } from '../support/recorded-logs.ts';
import { testSeed } from '../support/test-seed.ts';

const { randomFor } = testSeed('recorded-logs');
const LOGS = recordedLogs();

test.each(LOGS)('$name grown at random cuts equals the whole', async (recorded) => {
  await expectGrownAtRandom(recorded.bytes(), randomFor(LOGS.indexOf(recorded)));
});
