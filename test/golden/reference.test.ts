import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { GOLDEN_LOGS, SHARED_LOGS } from '../support/read-log.ts';
import { missingFile, testUnless } from '../support/test-unless.ts';
import { CALLED_LOGS, calledOf, COMPARED_LOGS, comparisonOf, referenceOf } from './hpl/reference.ts';

const FILE = 'test/golden/hpl/reference.json';
const COMPARISONS = 'test/golden/hpl/comparisons.json';
const CALLED = 'test/golden/hpl/called.json';

/** With UPDATE_REFERENCE=1 the file is written instead: from the reference's own output, never from ours. */
testUnless(missingFile(SHARED_LOGS))('reference.json says what the reference program computed', () => {
  const reference = Object.fromEntries(
    GOLDEN_LOGS.map((name) => [name, referenceOf(`${SHARED_LOGS}/golden`, name)]),
  );
  const text = `${JSON.stringify(reference, null, 2)}\n`;
  if (process.env.UPDATE_REFERENCE === '1') writeFileSync(FILE, text);
  expect(readFileSync(FILE, 'utf8')).toBe(text);
});

testUnless(missingFile(SHARED_LOGS))('comparisons.json says what the reference program computed', () => {
  const comparisons = Object.fromEntries(
    COMPARED_LOGS.map(([base, next]) => [
      `${base}--${next}`,
      comparisonOf(`${SHARED_LOGS}/golden`, base, next),
    ]),
  );
  const text = `${JSON.stringify(comparisons, null, 2)}\n`;
  if (process.env.UPDATE_REFERENCE === '1') writeFileSync(COMPARISONS, text);
  expect(readFileSync(COMPARISONS, 'utf8')).toBe(text);
});

testUnless(missingFile(SHARED_LOGS))('called.json says what the reference program computed', () => {
  const called = Object.fromEntries(
    CALLED_LOGS.map((name) => [name, calledOf(`${SHARED_LOGS}/golden`, name)]),
  );
  const text = `${JSON.stringify(called, null, 2)}\n`;
  if (process.env.UPDATE_REFERENCE === '1') writeFileSync(CALLED, text);
  expect(readFileSync(CALLED, 'utf8')).toBe(text);
});
