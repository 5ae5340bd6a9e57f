import type { FindingCheck, Claim } from './check.ts';
import { MEASURED_CHECKS } from './measured-checks.ts';
import { FRAME_CHECKS } from './frame-checks.ts';
import type { StackFacts } from './stack-facts.ts';

// ---- The checks that count more than the frames of a pattern ----

/** Methods of which one may do the work, the heaviest first. */
const MOST_METHODS = 3;

/** Rows that are running, by the name of the method in which their samples ended. */
function rowsByMethod(
  stacks: StackFacts,
): readonly { name: string; rows: readonly number[]; weight: number }[] {
  const byName = new Map<string, { name: string; rows: number[]; weight: number }>();
  for (let row = 0; row < stacks.length; row++) {
    if (stacks.running[row] === 0) continue;
    const name = stacks.nameOf(stacks.node[row]);
    const known = byName.get(name) ?? { name, rows: [], weight: 0 };
    known.rows.push(row);
    known.weight += stacks.weight[row];
    byName.set(name, known);
  }
  return [...byName.values()].sort((a, b) => b.weight - a.weight);
}

/** Row of the values -> 1 for some rows. */
function marked({ length }: StackFacts, rows: readonly number[]): Uint8Array {
  const marks = new Uint8Array(length);
  for (const row of rows) marks[row] = 1;
  return marks;
}

function oneMethod(stacks: StackFacts): readonly Claim[] {
  return rowsByMethod(stacks)
    .slice(0, MOST_METHODS)
    .filter(
      ({ rows }) => stacks.profile.methods.names[stacks.methodOf(stacks.node[rows[0]])]?.className !== '',
    )
    .map(({ name, rows }) => ({
      subject: name,
      rows: marked(stacks, rows),
      nodeOf: (row) => stacks.node[row],
      show: { keep: [], select: name },
    }));
}

function waitingTime(stacks: StackFacts): readonly Claim[] {
  const among = stacks.running.map((running, row) => (running === 1 || stacks.waiting[row] === 1 ? 1 : 0));
  return [{ rows: stacks.waiting, nodeOf: (row) => stacks.node[row], among }];
}

const COUNTED_CHECKS: readonly FindingCheck[] = [
  {
    id: 'F1',
    title: 'One method does the work',
    needs: 'cpu',
    thresholds: { info: 0.15, warn: 0.3 },
    isSymptom: true,
    check: oneMethod,
    words: {
      why: 'What is changed in one method changes the whole, if it has so much of the time.',
      doubt:
        'Compilers inline methods into their callers, and some samplers look only at certain places, so that a neighbour may be named.',
      next: 'Look at its callers first: is it called too often, or with too much?',
    },
  },
  {
    id: 'F32',
    title: 'Threads wait, and hardly any of them runs',
    needs: 'cpu',
    thresholds: { info: 0.9 },
    check: waitingTime,
    words: {
      why: 'Shares of all samples say how long threads waited, and nothing of the processor.',
      doubt: 'An idle server waits for work.',
      next: 'Leave out waiting threads, or look at a recording of processor time.',
    },
  },
];

/** All checks. The command, its JSON, and its help know them only from this list. */
export const CHECKS: readonly FindingCheck[] = [...COUNTED_CHECKS, ...FRAME_CHECKS, ...MEASURED_CHECKS].sort(
  (a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)),
);

export const CHECK_IDS: readonly string[] = CHECKS.map(({ id }) => id);
