import { expect, test } from 'vitest';
import {
  conditionsOf,
  type DraftCondition,
  draftsOf,
  newDraft,
  parsedDraft,
  withQuantity,
} from '../../../renderer/shell/FilterDialog.tsx';
import { SAMPLES_AND_TIME } from '../../../shared/profile/profile-units.ts';
import type { Conditions } from '../../../shared/engine/views/row-conditions.ts';

const CONDITIONS: Conditions = [
  [
    { of: 'selfCount', comparison: '>=', value: 5 },
    { of: 'key', comparison: 'starts', text: 'java.' },
  ],
  [{ of: 'totalTime', comparison: '>', value: 50_500_000 }],
];

test('what is typed and what it means are the same in both directions', () => {
  const drafts = draftsOf(CONDITIONS, SAMPLES_AND_TIME);
  expect(drafts.map(({ join, of, comparison, text }) => `${join} ${of} ${comparison} ${text}`)).toEqual([
    'or selfCount >= 5',
    'and key starts java.',
    'or totalTime > 50.5',
  ]);
  expect(conditionsOf(drafts, SAMPLES_AND_TIME)).toEqual(CONDITIONS);
  expect(conditionsOf([], SAMPLES_AND_TIME)).toEqual([]);
  // The first line begins a group, whatever it was joined with before another one was removed.
  expect(conditionsOf(drafts.slice(1, 2), SAMPLES_AND_TIME)).toEqual([[CONDITIONS[0][1]]]);
});

test('what is no condition says why', () => {
  const problem = (change: Partial<DraftCondition>): string | undefined =>
    parsedDraft({ ...newDraft(0), ...change }, SAMPLES_AND_TIME).problem;
  expect(problem({})).toBe('Type a name or a part of one.');
  const count = { of: 'selfCount', comparison: '>' } as const;
  expect(problem({ ...count })).toBe('Type a number.');
  expect(problem({ ...count, text: 'many' })).toBe('not a number');
  expect(problem({ ...count, text: ' 1,000 ' })).toBeUndefined();
  for (const text of ['1,5', '1,50', '1,5000', ',500', '1,,000', '1.000,5'])
    expect(problem({ ...count, text }), text).toMatch(/A comma separates thousands: 1,500\./);
  for (const text of ['.', '-', '1.2.3', '0x10', '1 000'])
    expect(problem({ ...count, text }), text).toBe('not a number');
  expect(problem({ of: 'selfShare', comparison: '>', text: '101' })).toMatch(/0 to 100/);
  expect(problem({ comparison: 'matches', text: '(' })).toMatch(/regular expression/i);
  expect(conditionsOf([{ ...newDraft(0), text: 'a' }, newDraft(1)], SAMPLES_AND_TIME)).toBeUndefined();
});

test('numbers are what was typed, and times are whole ns', () => {
  const value = (of: 'totalShare' | 'totalTime', text: string): number | undefined => {
    const parsed = parsedDraft({ ...newDraft(0), of, comparison: '=', text }, SAMPLES_AND_TIME);
    return parsed.problem === undefined && parsed.condition.of !== 'key' ? parsed.condition.value : undefined;
  };
  expect(value('totalTime', '2.01')).toBe(2_010_000);
  expect(value('totalTime', '1,234,567.000001')).toBe(1_234_567_000_001);
  expect(value('totalTime', '\u22120.5')).toBe(-500_000);
  expect(value('totalShare', '.5')).toBe(0.5);
  expect(value('totalShare', '28.')).toBe(28);
});

test('another quantity keeps the comparison that it has, too', () => {
  const name = { ...newDraft(3), text: 'a' };
  const count = withQuantity(name, 'selfCount');
  expect(count).toEqual({ ...name, of: 'selfCount', comparison: '>=' });
  expect(withQuantity({ ...count, comparison: '<' }, 'totalShare').comparison).toBe('<');
  expect(withQuantity(count, 'key').comparison).toBe('contains');
});
