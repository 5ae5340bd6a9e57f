import { expect, test } from 'vitest';
import type { Choice } from '../../../shared/facts/choice.ts';
import { computingSamples } from '../../../shared/facts/sample-kind.ts';
import {
  type ProfileUnits,
  SAMPLES,
  SAMPLES_AND_TIME,
  SAMPLES_ONLY,
} from '../../../shared/profile/profile-units.ts';

const choiceOf = (id: string, chosen: string, ...others: readonly string[]): Choice => ({
  id,
  name: id,
  hint: '',
  kind: 'one',
  options: [chosen, ...others].map((value) => ({ value, text: value })),
  chosen,
});
const textOf = (units: ProfileUnits, ...choices: readonly Choice[]): string => {
  const computing = computingSamples({ format: 'jfr', units, choices });
  return typeof computing === 'string' ? computing : computing.unknown;
};

test('only samples of CPU with a known period, or CPU time, say for how long a thread computed', () => {
  const cpu = choiceOf('sample-type', 'cpu');
  const cpuTime: ProfileUnits = { counted: SAMPLES, value: { name: 'CPU time', unit: 'ns' } };
  expect(textOf(cpuTime, choiceOf('sample-type', 'cpu-time'))).toBe('all');
  expect(textOf(SAMPLES_AND_TIME, cpu)).toBe('running');
  expect(textOf(SAMPLES_ONLY, cpu)).toMatch(/how long a sample stands for/);
  // async-profiler 3 writes samples by the wall clock as execution samples.
  expect(textOf(SAMPLES_AND_TIME, cpu, choiceOf('state', 'all', 'STATE_RUNNABLE', 'STATE_SLEEPING'))).toMatch(
    /by the wall clock/,
  );
  expect(textOf(SAMPLES_AND_TIME, choiceOf('sample-type', 'wall'))).toMatch(/by the wall clock/);
  const bytes: ProfileUnits = {
    counted: { one: 'allocation', many: 'allocations' },
    value: { name: 'Allocated', unit: 'bytes' },
  };
  expect(textOf(bytes, choiceOf('sample-type', 'alloc'))).toMatch(/^allocations do not say it/);
  // Merged files have no choices.
  expect(textOf(SAMPLES_AND_TIME)).toMatch(/not known that samples are of threads that run/);
  const calls: ProfileUnits = {
    counted: { one: 'call', many: 'calls' },
    value: { name: 'Time', unit: 'ns' },
  };
  expect(textOf(calls, choiceOf('value', 'wall', 'cpu'))).toMatch(/--choose value=cpu shows the CPU times/);
});
