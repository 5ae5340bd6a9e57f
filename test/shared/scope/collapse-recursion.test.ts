import { profileInScope } from '../../support/profile-in-scope.ts';
import { expect, test } from 'vitest';
import { exportCollapsed } from '../../../shared/export/collapsed.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import { EMPTY_SCOPE } from '../../../shared/scope/scope.ts';
import { KEEP_ALL } from '../../../shared/engine/views/filter.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

const FIB = `
  main       main       main       main
  Fib.run    Fib.run    Fib.run    Fib.run
  Fib.of:3   Fib.of:3   Fib.of:3   Fib.of:3
  Fib.of:3   Fib.of:3   Fib.of:3   Log.call
  Fib.of:2   Fib.of:2   Fib.of:4   Fib.of:2
             Log.call
`;

test.each([
  ['direct', ['Fib.of:2 1', 'Fib.of:2;Log.call 1', 'Fib.of:3;Log.call;Fib.of:2 1', 'Fib.of:4 1']],
  ['all', ['Fib.of:2 2', 'Fib.of:2;Log.call 1', 'Fib.of:4 1']],
] as const)('collapsed recursion, %s: a line is that of the innermost call', (of, below) => {
  const { profile } = profileFromText(FIB);
  const scope = { ...EMPTY_SCOPE, transforms: [{ kind: 'collapse-recursion', of } as const] };
  const scoped = profileInScope(profile, scope, 'fqmn');
  expect(collapsedLines(scoped.profile)).toEqual(below.map((line) => `Fib.run;${line}`));
});

function collapsedLines(profile: LeanProfile): string[] {
  let text = '';
  const grouping = { threads: 'all', frames: 'line' } as const;
  exportCollapsed({ profile, ...grouping, metric: 'samples', filter: KEEP_ALL }, (piece) => (text += piece));
  return text.trim().split('\n');
}
