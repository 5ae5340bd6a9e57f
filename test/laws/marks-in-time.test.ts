import { expect, test } from 'vitest';
import { EMPTY_SCOPE, type Scope } from '../../shared/scope/scope.ts';
import { compared, wholeLogs } from '../support/compared-mirrors.ts';
import { FLAT, type Handled, rowsOf, select, TREE, view } from '../support/driven-mirror.ts';
import { keysOf, KINDS, randomTransform, threadNames } from '../support/random-scope.ts';
import { goldenLog, readLog } from '../support/read-log.ts';
import { readModel } from '../support/reference-model.ts';
import { scopedStacks } from '../support/scoped-stacks.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('marks in time');
const TIMELINE: Handled = { type: 'timeline', view: { zoom: undefined, buckets: 6 } };
const BYTES = goldenLog('deeprec');
const model = readModel(BYTES);
const names = threadNames(readLog(BYTES).profile);
const keys = { fqmn: keysOf(model, 'fqmn'), line: keysOf(model, 'line') };

/** Bucket -> samples in scope, those with a searched name on their stack, and those with a method, one by one. */
function counted(
  scope: Scope,
  frames: 'fqmn' | 'line',
  bucketOf: (at: bigint) => number,
  { searched, method }: { readonly searched: string; readonly method: string | undefined },
  buckets: number,
): readonly (readonly number[])[] {
  return Array.from({ length: buckets }, (_, bucket) => {
    const samples = model.samples.filter(({ at }) => bucketOf(at!) === bucket);
    const { stacks } = scopedStacks({ ...model, samples }, scope, frames, (id) => names.get(id)!);
    const sums = [0, 0, 0];
    for (const [path, sum] of stacks) {
      const stack = (JSON.parse(path) as string[]).slice(1);
      const count = Number(sum.split(' ')[0]);
      sums[0] += count;
      if (stack.some((key) => key.toLowerCase().includes(searched))) sums[1] += count;
      if (method !== undefined && stack.includes(method)) sums[2] += count;
    }
    return sums;
  });
}

test('what is searched or selected is marked where its samples are, however stacks are changed or logs joined', () => {
  const { next: driven } = wholeLogs(goldenLog('control-a'), BYTES, FLAT, TREE, TIMELINE, compared());
  for (let scenario = 0; scenario < testSize(12, 1_000); scenario++) {
    const random = randomFor(scenario);
    const frames = random.pick(['fqmn', 'fqmn', 'line'] as const);
    const transforms = Array.from({ length: random.below(3) }, () =>
      randomTransform(random.pick(KINDS), random, keys[frames]),
    );
    const threads = random.below(3) === 0 ? [random.pick([...names.values()])] : [];
    // A range changes what the panes show, and no mark.
    const range =
      random.below(2) === 0 ? undefined : ({ kind: 'latest', ns: random.below(2e9) + 1 } as const);
    const scope: Scope = { ...EMPTY_SCOPE, threads, transforms, range };
    const searched = random.pick([...keys[frames], 'java', 'nobody']).toLowerCase();
    const isJoined = random.below(2) === 0;
    driven.ask(
      isJoined ? compared(scope, frames, searched) : view(searched, frames, false, scope),
      rowsOf('flat', 0, 100_000),
    );
    const rows = driven.shown('flat').rows.filter(({ kind }) => kind === 'frame');
    const method = rows.length === 0 ? undefined : random.pick(rows.slice(0, 20));
    driven.ask(
      method === undefined ? { type: 'select', selection: undefined, turn: 1 } : select('methods', method),
      TIMELINE,
    );
    const { columns } = driven.last('timeline');
    const [first, bucketNs] = [BigInt(columns!.first), BigInt(columns!.bucketNs)];
    const shown = Array.from(columns!.samples, (samples, at) => [
      samples,
      columns!.matches[at],
      columns!.selected[at],
    ]);
    const bucketOf = (at: bigint): number => Number((at - first) / bucketNs);
    const where = `SEED=${seed} scenario ${scenario} ${JSON.stringify({ isJoined, frames, searched, method: method?.label, scope })}`;
    const marked = { searched, method: method?.label };
    expect(shown, where).toEqual(counted(scope, frames, bucketOf, marked, shown.length));
  }
});
