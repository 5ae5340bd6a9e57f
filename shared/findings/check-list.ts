import type { FindingCheck, Claim } from './check.ts';
import { heaviestGroups, MEASURED_CHECKS } from './measured-checks.ts';
import { FRAME_CHECKS } from './frame-checks.ts';
import type { StackFacts } from './stack-facts.ts';

// ---- The checks that count more than the frames of a pattern ----

/** Methods of which one may do the work, the heaviest first. */
const MOST_METHODS = 3;

function oneMethod(stacks: StackFacts): readonly Claim[] {
  const { node, profile } = stacks;
  const classOf = (row: number): string | undefined =>
    profile.methods.names[stacks.methodOf(node[row])]?.className;
  return heaviestGroups(stacks, (row) => stacks.nameOf(node[row]))
    .slice(0, MOST_METHODS)
    .filter(({ rows }) => classOf(rows.indexOf(1)) !== '')
    .map(({ name, rows }) => ({
      subject: name,
      rows,
      show: { keep: [], select: name },
      nodes: () => node,
    }));
}

function waitingTime(stacks: StackFacts): readonly Claim[] {
  const among = stacks.running.map((running, row) => (running === 1 || stacks.waiting[row] === 1 ? 1 : 0));
  return [{ rows: stacks.waiting, nodes: () => stacks.node, among }];
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
