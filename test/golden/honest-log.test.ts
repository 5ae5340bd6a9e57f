import { readFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import { GOLDEN_LOGS, goldenLog } from '../support/read-log.ts';
import { compareWithReference } from './hpl/compare-with-reference.ts';
import type { LogReference } from './hpl/reference.ts';

const recorded = JSON.parse(readFileSync('test/golden/hpl/reference.json', 'utf8')) as Record<
  string,
  LogReference
>;
describe.each(GOLDEN_LOGS)('%s equals the reference', (name) => {
  compareWithReference(goldenLog(name), recorded[name], test);
});
