/** The checks that ask for more than the frames of running threads: paths, threads, pauses, waits and allocations. */
import { NONE, release } from '../profile/columns.ts';
import { shareInterval } from '../engine/values/share-change.ts';
import { poolOf } from '../text/thread-pools.ts';
import { formatCount, formatShare, formatSpan } from '../text/format-value.ts';
import type { Claim, FindingCheck, NotAssessed } from './check.ts';
import type { FindingFacts } from './finding.ts';
import { findBursts } from './bursts.ts';
import { AWAITING_METHODS, isOneOf, LOCKING_METHODS } from '../text/waiting-methods.ts';
import { type StackFacts, valuesAt } from './stack-facts.ts';

/** Row of the values -> 1 for those that pass a test. */
function rowsWhere({ length }: StackFacts, test: (row: number) => boolean): Uint8Array {
  return Uint8Array.from({ length }, (_, row) => (test(row) ? 1 : 0));
}

/** Row of the values -> how many frames with one of these names are on its stack; undefined: no method has one. */
function framesOnPath({ profile, node: ends }: StackFacts, texts: readonly string[]): Int32Array | undefined {
  const { methods, nodes, frames } = profile;
  const isOneOfThem = isOneOf(texts);
  const isOne = Uint8Array.from({ length: methods.length }, (_, method) => {
    const names = methods.names[method];
    return names !== undefined && isOneOfThem(`${names.className}.${names.methodName}`) ? 1 : 0;
  });
  if (!isOne.includes(1)) return undefined;
  const found = new Int32Array(nodes.length);
  for (let node = 0; node < nodes.length; node++)
    if (nodes.parent[node] !== NONE)
      found[node] = found[nodes.parent[node]] + isOne[frames.method[nodes.frame[node]]];
  return valuesAt(ends, found);
}

/** Rows that are running, by a name; the heaviest first. `nameOf`: undefined for rows of no group. */
export function heaviestGroups(
  stacks: StackFacts,
  nameOf: (row: number) => string | undefined,
): readonly { readonly name: string; readonly rows: Uint8Array; readonly weight: number }[] {
  const groups = new Map<string, { name: string; rows: Uint8Array; weight: number; list: number[] }>();
  for (let row = 0; row < stacks.length; row++) {
    const name = stacks.running[row] === 0 ? undefined : nameOf(row);
    if (name === undefined) continue;
    const known = groups.get(name) ?? { name, rows: NO_ROWS, weight: 0, list: [] };
    known.weight += stacks.weight[row];
    known.list.push(row);
    groups.set(name, known);
  }
  const heaviest = [...groups.values()].sort((a, b) => b.weight - a.weight).slice(0, MOST_GROUPS);
  return heaviest.map((group) => {
    const rows = new Uint8Array(stacks.length);
    for (const row of group.list) rows[row] = 1;
    return { ...group, rows };
  });
}

const NO_ROWS = new Uint8Array(0);
const MOST_GROUPS = 20;

function ownName(stacks: StackFacts, row: number): string | undefined {
  const own = stacks.own[row];
  return own === NONE ? undefined : stacks.nameOf(own);
}

/** Lines of the program's own code alone: nobody changes one of the JDK, and those of its intrinsics tell nothing. */
function oneLine(stacks: StackFacts): readonly Claim[] {
  const { profile, node, draws, own } = stacks;
  const lineOf = (row: number): string | undefined => {
    const frame = profile.nodes.frame[node[row]];
    const line = frame < 0 || own[row] !== node[row] ? 0 : profile.frames.line[frame];
    return line > 0 ? `${stacks.nameOf(node[row])}:${line}` : undefined;
  };
  const methods = new Map<string, number>();
  for (let row = 0; row < stacks.length; row++)
    if (lineOf(row) !== undefined && stacks.running[row] === 1) {
      const name = stacks.nameOf(node[row]);
      methods.set(name, (methods.get(name) ?? 0) + draws[row]);
    }
  const found = heaviestGroups(stacks, lineOf).find(({ name, rows }) => {
    const part = Math.round(draws.reduce((sum, each, row) => (rows[row] === 1 ? sum + each : sum), 0));
    const whole = Math.round(methods.get(name.slice(0, name.lastIndexOf(':'))) ?? 0);
    return part < whole && (shareInterval(part, whole)?.low ?? 0) > MOST_OF_METHOD;
  });
  return found === undefined ? [] : [{ subject: found.name, rows: found.rows, nodes: () => node }];
}

const MOST_OF_METHOD = 0.5;

function backtracking(stacks: StackFacts): readonly Claim[] {
  const depth = framesOnPath(stacks, ['java.util.regex.Pattern$*.match']);
  if (depth === undefined) return [];
  const rows = rowsWhere(stacks, (row) => depth[row] >= DEEP_MATCH);
  return [{ rows, nodes: () => stacks.node }];
}

const DEEP_MATCH = 30;

/** Methods that box, and where allocations have their class as a frame, the classes. */
const BOXES = new Set(
  ['Integer', 'Long', 'Double', 'Float', 'Short', 'Byte', 'Character', 'Boolean'].flatMap((name) => [
    `java.lang.${name}.valueOf`,
    `java.lang.${name}`,
  ]),
);

function boxing(stacks: StackFacts, { units }: FindingFacts): readonly Claim[] {
  const rows = rowsWhere(stacks, (row) => BOXES.has(stacks.nameOf(stacks.node[row])));
  const claim = { rows, nodes: () => stacks.node };
  return [units.value?.unit === 'bytes' ? { ...claim, thresholds: { info: 0.2, warn: 0.5 } } : claim];
}

/** A cycle has at most so many frames, and repeats at least so often. */
const LONGEST_CYCLE = 8;
const LEAST_REPEATS = 50;

/** Stacks on which a cycle of methods repeats. One pass: a frame continues the cycle of its caller, or begins one. */
function recursion(stacks: StackFacts, { deepestStack }: FindingFacts): readonly Claim[] {
  if (deepestStack < LEAST_REPEATS) return [];
  const { parent, frame, length } = stacks.profile.nodes;
  const { method } = stacks.profile.frames;
  const period = new Uint8Array(length);
  const run = new Int32Array(length);
  const isDeep = new Uint8Array(length);
  for (let node = 0; node < length; node++) {
    const up = parent[node];
    if (up === NONE) continue;
    isDeep[node] = isDeep[up];
    const called = method[frame[node]];
    let ancestor = up;
    const known = period[up];
    for (
      let hops = 1;
      hops <= LONGEST_CYCLE && parent[ancestor] !== NONE;
      hops++, ancestor = parent[ancestor]
    ) {
      if (method[frame[ancestor]] !== called) continue;
      period[node] = hops;
      run[node] = hops === known ? run[up] + 1 : 1;
      if (run[node] >= LEAST_REPEATS * hops) isDeep[node] = 1;
      break;
    }
  }
  const rows = rowsWhere(stacks, (row) => isDeep[stacks.node[row]] === 1);
  release(period, run, isDeep);
  return [{ rows, nodes: () => stacks.node }];
}

const LEAST_LOST = 30;

function lost(rows: Uint8Array, counted: number, { samples }: FindingFacts, of: string): readonly Claim[] {
  if (rows.includes(1))
    return [{ rows, nodes: () => Int32Array.from(rows, () => NONE), among: rows.map(() => 1) }];
  return counted < LEAST_LOST ? [] : [{ measured: { share: counted / samples, samples: counted, of } }];
}

/** Samples without a stack of threads that have stacks: threads of the JVM run no Java code, and lose nothing. */
function withoutStack(stacks: StackFacts): readonly Claim[] {
  const { threads, running, waiting, errors } = stacks;
  const hasStacks = new Uint8Array(stacks.profile.threads.length);
  for (let row = 0; row < stacks.length; row++)
    if (running[row] === 1 || waiting[row] === 1) hasStacks[threads[row]] = 1;
  const among = rowsWhere(stacks, (row) => hasStacks[threads[row]] === 1);
  const rows = rowsWhere(stacks, (row) => errors[row] === 1 && among[row] === 1);
  return [{ rows, nodes: () => Int32Array.from(rows, () => NONE), among }];
}

function truncated(stacks: StackFacts, facts: FindingFacts): readonly Claim[] {
  const told = facts.losses.find(({ kind }) => kind === 'truncated')?.amount ?? '';
  const stacksCut = facts.truncated?.stacks ?? Number(/^[\d,]+/.exec(told)?.[0].replaceAll(',', '') ?? 0);
  return lost(stacks.truncated, stacksCut, facts, 'samples');
}

function oneThread(stacks: StackFacts, { series }: FindingFacts): readonly Claim[] | NotAssessed {
  const load = series.find(({ id }) => id === 'cpu-jvm');
  if (load === undefined) return { notAssessed: 'the load of the processors is not recorded' };
  const mean = load.values.reduce((sum, value) => sum + value, 0) / load.values.length;
  if (mean > MOST_LOAD) return [];
  const { threads } = stacks;
  const nameOf = (row: number): string =>
    stacks.profile.threads.name[threads[row]] ?? 'a thread without a name';
  const heaviest = heaviestGroups(stacks, (row) => `${threads[row]}`).at(0);
  if (heaviest === undefined) return [];
  const subject = nameOf(heaviest.rows.indexOf(1));
  return [{ subject, rows: heaviest.rows, nodes: () => stacks.node }];
}

/** 1.3 of 4 processors: with one thread that works, the machine has four or more. */
const MOST_LOAD = 0.325;

function lockWaits(stacks: StackFacts): readonly Claim[] | NotAssessed {
  const { spanNs, weight, threads, profile, node } = stacks;
  if (spanNs === undefined) return { notAssessed: 'the file does not record when each wait was' };
  const parked = framesOnPath(stacks, ['*.Unsafe.park', 'java.util.concurrent.locks.LockSupport.park*']);
  const acquiring = framesOnPath(stacks, LOCKING_METHODS);
  const awaiting = framesOnPath(stacks, AWAITING_METHODS);
  const isLock = rowsWhere(stacks, (row) => {
    if ((awaiting?.[row] ?? 0) > 0) return false;
    return (parked?.[row] ?? 0) === 0 || (acquiring?.[row] ?? 0) > 0;
  });
  const poolOfRow = (row: number): string => poolOf(profile.threads.name[threads[row]] ?? '');
  const pools = new Map<string, { blocked: number; waits: number; members: Set<number> }>();
  for (let row = 0; row < stacks.length; row++) {
    const pool = pools.get(poolOfRow(row)) ?? { blocked: 0, waits: 0, members: new Set() };
    pools.set(poolOfRow(row), pool);
    pool.members.add(threads[row]);
    if (isLock[row] === 0) continue;
    pool.blocked += weight[row];
    pool.waits += stacks.countOf(row);
  }
  return Array.from(pools, ([subject, { blocked, waits, members }]): Claim | undefined =>
    waits < LEAST_LOST
      ? undefined
      : {
          subject,
          measured: {
            share: blocked / (members.size * spanNs),
            samples: waits,
            of: `the time of ${formatCount(members.size)} threads`,
          },
          rows: rowsWhere(stacks, (row) => isLock[row] === 1 && poolOfRow(row) === subject),
          among: isLock,
          nodes: () => node,
        },
  ).filter((claim) => claim !== undefined);
}

const WINDOW_MS = 60_000;
const LONG_PAUSE_MS = 1_000;

function collectorPauses(
  _stacks: StackFacts,
  { series, spanNs }: FindingFacts,
): readonly Claim[] | NotAssessed {
  const pauses = series.find(({ id }) => id === 'gc-pause');
  if (pauses === undefined) return { notAssessed: 'pauses of the garbage collector are not recorded' };
  const { at, values, pauses: single } = pauses;
  const window = Math.min(WINDOW_MS, (spanNs ?? 0) / 1e6 || WINDOW_MS);
  let [from, sum, worst] = [0, 0, 0];
  for (const [point, ms] of values.entries()) {
    sum += ms;
    while (at[from] < at[point] - window) sum -= values[from++];
    worst = Math.max(worst, sum);
  }
  const longest = single?.longestMs ?? values.reduce((most, ms) => Math.max(most, ms), 0);
  const of = `the worst ${formatSpan(window * 1e6)}; the longest pause took ${formatSpan(longest * 1e6)}`;
  const measured = { share: Math.min(1, worst / window), samples: single?.count ?? values.length, of };
  return [{ measured, ...(longest >= LONG_PAUSE_MS && { thresholds: { info: 0, warn: 0 } }) }];
}

function allocatingSite(stacks: StackFacts): readonly Claim[] {
  return heaviestGroups(stacks, (row) => ownName(stacks, row))
    .slice(0, 1)
    .map(({ name, rows }) => ({ subject: name, rows, nodes: () => stacks.node }));
}

function bursts(stacks: StackFacts, { units }: FindingFacts): readonly Claim[] | NotAssessed {
  if (stacks.spanNs === undefined)
    return { notAssessed: 'the file does not record when each sample was taken' };
  return findBursts(stacks).map(({ method, rows, period, isFirst, samples, inside, outside }): Claim => {
    const many = `${units.counted.many}${stacks.errors.includes(1) ? ' with a stack' : ''}`;
    const of = `${many} from ${period.text}, instead of ${formatShare(outside, 1, 1)}`;
    return {
      subject: method,
      rows,
      nodes: () => stacks.node,
      measured: { share: inside.value, low: inside.low, high: inside.high, samples, of },
      period: { ...period, usual: outside },
      doubt: isFirst ? 'It begins with the recording, which may be the start of the program.' : undefined,
      show: { keep: [], select: method },
    };
  });
}

export const MEASURED_CHECKS: readonly FindingCheck[] = [
  {
    id: 'F2',
    title: 'One line does the work of its method',
    needs: 'cpu',
    thresholds: { info: 0.03 },
    check: oneLine,
    words: {
      why: 'At least half of what is spent in the method itself is spent in this line.',
      doubt:
        'Compiled code knows its line only at some places: without -XX:+DebugNonSafepoints, a neighbouring line may be named.',
      next: 'Look at the line in its source.',
    },
  },
  {
    id: 'F4',
    title: 'A regular expression backtracks',
    needs: 'cpu',
    thresholds: { info: 0.02, warn: 0.05 },
    check: backtracking,
    words: {
      why: 'Thirty matching frames or more are nested, as where an expression tries the same text in many ways.',
      doubt: 'Long inputs need deep stacks for some expressions that match at once.',
      next: 'Use possessive quantifiers or atomic groups, and no nested repetitions such as (a+)+.',
    },
  },
  {
    id: 'F11',
    title: 'Numbers are boxed',
    needs: 'anything',
    thresholds: { info: 0.05 },
    check: boxing,
    words: {
      why: 'Each number in a collection of objects is an object of its own, unless it is small.',
      doubt:
        'Compiled code often needs no object where interpreted code, which is sampled as well, makes one.',
      next: 'Use arrays, primitive streams or collections of primitives.',
    },
  },
  {
    id: 'F21',
    title: 'Recursion is deep',
    needs: 'cpu',
    thresholds: { info: 0.1 },
    check: recursion,
    words: {
      why: 'A cycle of calls repeats fifty times or more: stacks may overflow, and exceptions, profilers and collectors walk all of it.',
      doubt: 'Parsers and trees are recursive by nature.',
      next: 'Use a loop with a stack of its own where the depth depends on the input.',
    },
  },
  {
    id: 'F22',
    title: 'Stacks are cut off',
    needs: 'anything',
    thresholds: { info: 0.01, warn: 0.1 },
    check: truncated,
    words: {
      why: 'Callers next to the root are missing, so that totals of these callers are too small.',
      doubt: 'Self values are right all the same.',
      next: 'Record deeper stacks: -XX:FlightRecorderOptions:stackdepth=512, or maxFrames of the agent.',
    },
  },
  {
    id: 'F23',
    title: 'One thread works, and processors are idle',
    needs: 'cpu',
    thresholds: { info: 0.9 },
    check: oneThread,
    words: {
      why: 'The machine has processors to spare, and the program gives work to one of them.',
      doubt: 'The work may not be divisible, or the program meant to use one processor.',
      next: 'Divide the work of this thread, if others wait for its result.',
    },
  },
  {
    id: 'F24',
    title: 'Threads wait for a lock',
    needs: 'locks',
    thresholds: { info: 0.05, warn: 0.15 },
    check: lockWaits,
    words: {
      why: 'Threads that wait for each other do nothing, whatever their number.',
      doubt: 'Waits below the threshold of the recording, some 10 or 20 ms, are not in it.',
      next: 'Hold the lock for less, or use one for each part of the data.',
    },
  },
  {
    id: 'F25',
    title: 'The garbage collector stops the program',
    needs: 'anything',
    thresholds: { info: 0.05, warn: 0.1 },
    check: collectorPauses,
    words: {
      why: 'All threads stand still in a pause.',
      doubt: 'Pauses of ZGC are tiny, and its allocation stalls are not in this number.',
      next: 'Allocate less: see the sample type of allocations, if the file has it. Or give the heap more memory.',
    },
  },
  {
    id: 'F26',
    title: 'One method allocates much of the memory',
    needs: 'allocations',
    thresholds: { info: 0.2, warn: 0.4 },
    check: allocatingSite,
    words: {
      why: 'What is allocated has to be collected, and fills the caches of the processor.',
      doubt: 'Allocations are sampled, and objects that die at once cost little.',
      next: 'Reuse buffers, allocate outside of loops, and use primitives.',
    },
  },
  {
    id: 'F30',
    title: 'Samples of Java threads have no stack',
    needs: 'cpu',
    thresholds: { info: 0.01, warn: 0.1 },
    check: withoutStack,
    words: {
      why: 'The time was spent, but it is not known in which method.',
      doubt:
        'A few per cent are usual where stacks are walked asynchronously. Threads of the JVM, which never have a stack, are not counted.',
      next: 'Use another profiler for a second look: a JFR recording walks stacks in other ways.',
    },
  },
  {
    id: 'F31',
    title: 'Work comes in a burst',
    needs: 'cpu',
    thresholds: { info: 0.05 },
    check: bursts,
    words: {
      why: 'In this time the method has at least twice its usual share, and chance does not explain it.',
      doubt: 'The load itself may have come in a burst, or the program did something else at other times.',
      next: 'Look at this time alone, and compare it with the rest.',
    },
  },
];
