/** The answer to "why is it slow?": one sentence, the hot path, the hottest methods. Window and command line ask it alike. */
import type { ProfileView } from '../engine/profile-view.ts';
import type { MethodRef } from '../engine/query.ts';
import { displayLabel, type RowId } from '../engine/trees/row-tree.ts';
import { viewOperations } from '../engine/view-operations.ts';
import { sumSelfValues } from '../engine/values/self-values.ts';
import { flameWeights } from '../engine/views/flame-measures.ts';
import { hotPath } from '../engine/views/heaviest-below.ts';
import { TIME_PARTS, timePattern, type TimePattern } from '../engine/views/time-pattern.ts';
import { threadNoun } from '../facts/choice.ts';
import { type HealthItem, healthOf } from '../facts/health.ts';
import type { LogFacts } from '../facts/log-facts.ts';
import { computingSamples, wholeText } from '../facts/sample-kind.ts';
import { NONE } from '../profile/columns.ts';
import type { MethodNames } from '../profile/method-table.ts';
import { OPERATION } from '../scope/context-condition.ts';
import { nameOfLabel } from '../text/format-frame.ts';
import { formatQuantity, formatShare, formatSpan } from '../text/format-value.ts';
import { ownCode } from '../findings/frame-classes.ts';
import { type PoolShare, poolsOfKeys } from './pool-shares.ts';

/** A method with its share of the samples in scope. */
export interface HotMethod {
  /** The row of the methods that it is. */
  readonly ref: MethodRef;
  /** Fractions of the whole. */
  readonly self: number;
  readonly total: number;
  /** When it has samples; undefined where that is not known. `counts`: in equal parts of the time. */
  readonly when: { readonly pattern: TimePattern; readonly counts: readonly number[] } | undefined;
  /** The pools of threads with it on their stacks, the heaviest first. */
  readonly pools: readonly PoolShare[];
}

/** Frames of the hot path that have almost the same share: the first of them, and how many are between it and the last. */
export interface PathStep {
  readonly id: RowId;
  readonly label: string;
  /** Frames behind the first one and before the last one; a step of one frame has no last one. */
  readonly between: number;
  readonly last: { readonly id: RowId; readonly label: string; readonly share: number } | undefined;
  /** Fractions of the whole. `share`: of the first frame; the others have almost as much. */
  readonly share: number;
  readonly self: number;
  /** The share of the method that answers on all paths, which the answer tells; undefined for all other steps. */
  readonly onAllPaths: number | undefined;
}

export interface Summary {
  readonly version: 1;
  /** The whole of all shares, in words: `CPU`. */
  readonly whole: string;
  readonly samples: number;
  /** A sentence; undefined without samples. `method`: what it is about. */
  readonly answer: { readonly text: string; readonly share: number; readonly method: HotMethod } | undefined;
  /** A sentence: for how much of their time the requests in scope computed; undefined: none are chosen, or it is not known. */
  readonly requests: string | undefined;
  readonly path: readonly PathStep[];
  /** By what ended in them, the heaviest first. Samples without a stack are no method. */
  readonly methods: readonly HotMethod[];
  /** A clause each, the most important first. */
  readonly lost: readonly string[];
}

interface SummaryQuestion {
  readonly facts: LogFacts;
  /** Prefixes of the classes of the program; empty: everything outside the JDK and known frameworks. */
  readonly own: readonly string[];
  /** Most methods. */
  readonly most?: number;
}

/** Methods are told so many by default. */
const HOTTEST = 5;

/** The summary of a view, which must compare nothing. O(rows + samples). */
export function summaryOf(view: ProfileView, { facts, own, most = HOTTEST }: SummaryQuestion): Summary {
  const { query } = view;
  const { keys } = query;
  const metric = facts.units.value === undefined ? 'samples' : query.metric;
  const { samples, time } = sumSelfValues(view.values);
  const whole = metric === 'samples' ? samples : time;
  const sums = view.sums({ threads: 'all', frames: keys });
  const { tree } = sums;
  const weights = flameWeights(sums, metric);
  const flat = view.flat(keys);
  const self = metric === 'samples' ? flat.selfCount : flat.selfTime.ns;
  const total = metric === 'samples' ? flat.totalCount : flat.totalTime.ns;
  const hottest = heaviestKeys(self, flat.keys.isError, most);
  const namesOf = (key: number): MethodNames | undefined =>
    view.profile.methods.names[view.profile.frames.method[flat.keys.firstFrame[key]]];
  const isOwn = ownCode(own);
  const isOwnRow = (row: number): boolean => isOwn(namesOf(tree.key[row]));
  const rows = pathRows(tree, weights, isOwnRow).filter((row) => weights[row] >= LEAST_OF_WHOLE * whole);
  const answering = answeringRow(rows, weights, isOwnRow);
  const answeringKey = answering === NONE ? (hottest[0] ?? NONE) : tree.key[answering];
  const told = answeringKey === NONE ? hottest : [answeringKey, ...hottest];
  const times = view.timesOfRows('methods', { threads: 'all', frames: keys }, told);
  const hasThreads = view.source.threads.length > 1;
  // A single thread has all of each method: its share tells nothing.
  const pools = hasThreads ? poolsOfKeys(view, keys, told, metric) : told.map(() => []);
  const patterns = told.map((_, at) => times && timePattern(times, at * TIME_PARTS));
  // All samples were taken at one time, as those of one thread dump.
  const isMoment = patterns.every((pattern) => pattern === 'once');
  const methods = told.map((key, at): HotMethod => {
    const counts = times?.subarray(at * TIME_PARTS, (at + 1) * TIME_PARTS);
    const pattern = isMoment ? undefined : patterns[at];
    return {
      ref: {
        of: 'methods',
        id: view.idOfFrame(flat.keys.firstFrame[key]),
        label: flat.keys.labels[key],
      },
      self: self[key] / whole,
      total: total[key] / whole,
      when: pattern === undefined || counts === undefined ? undefined : { pattern, counts: [...counts] },
      pools: pools[at],
    };
  });
  const named = wholeText(facts, metric === 'time');
  const withStack = query.hidesErrors && view.counted.errors > 0 ? ' with a stack' : '';
  return {
    version: 1,
    whole: `${named}${withStack}`,
    samples,
    answer:
      whole > 0 && methods.length > 0
        ? answerOf(methods[0], named, withStack, hasThreads ? threadNoun(facts.choices) : undefined)
        : undefined,
    requests: requestsText(view, facts),
    path:
      whole > 0
        ? pathSteps(rows, { row: answering, share: methods.at(0)?.total ?? 0 }, sums, weights, whole, metric)
        : [],
    methods: answeringKey === NONE ? methods : methods.slice(1),
    lost: lostTexts(view, facts),
  };
}

function requestsText(view: ProfileView, facts: LogFacts): string | undefined {
  const computing = computingSamples(facts);
  if (view.query.scope.contexts === undefined || typeof computing === 'object') return undefined;
  const { count, ns, onCpu } = viewOperations(view, OPERATION, computing)?.all ?? {};
  if (count === undefined || ns === undefined || onCpu === undefined) return undefined;
  return `${formatQuantity(count, 'request')} in scope, ${formatSpan(ns)} of their threads: ${formatShare(onCpu, 1, 0)} on CPU, the rest waiting`;
}

type Tree = ReturnType<ProfileView['sums']>['tree'];

/**
 * The rows of the hot path, below all threads: down to where it forks. Where that is above all frames of the program's own,
 * it goes on along the heaviest call.
 */
function pathRows(tree: Tree, weights: Float64Array, isOwnRow: (row: number) => boolean): readonly number[] {
  const childrenOf = (row: number): readonly number[] => {
    const children: number[] = [];
    for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child))
      if (weights[child] > 0) children.push(child);
    return children;
  };
  let rows: number[] = [];
  for (let from: readonly number[] = tree.roots(); from.length > 0;) {
    const end = hotPath(tree, weights, from, childrenOf)?.row ?? NONE;
    rows = [];
    for (let row = end; row !== NONE && tree.kind(row) !== 'all'; row = tree.parent[row]) rows.unshift(row);
    if (end === NONE || rows.some((row) => isOwnRow(row))) return rows;
    from = childrenOf(end);
  }
  return rows;
}

/** A part of the first own frame's weight that the frame which answers has at least. */
const LEAST_OF_FIRST = 1 / 2;

/**
 * The row that answers: the deepest own frame on the path with half of the weight of the first own one, or where none is
 * the program's own the deepest with half of all. NONE: the path is empty.
 */
function answeringRow(
  rows: readonly number[],
  weights: Float64Array,
  isOwnRow: (row: number) => boolean,
): number {
  const ownRows = rows.filter((row) => isOwnRow(row));
  const candidates = ownRows.length > 0 ? ownRows : rows;
  if (candidates.length === 0) return NONE;
  const least = LEAST_OF_FIRST * weights[candidates[0]];
  return candidates.findLast((row) => weights[row] >= least) ?? NONE;
}

function heaviestKeys(weight: ArrayLike<number>, isError: readonly boolean[], most: number): number[] {
  const found: number[] = [];
  for (let key = 0; key < isError.length; key++) {
    if (isError[key] || !(weight[key] > 0)) continue;
    if (found.length === most && weight[key] <= weight[found[most - 1]]) continue;
    found.push(key);
    found.sort((a, b) => weight[b] - weight[a]);
    found.length = Math.min(found.length, most);
  }
  return found;
}

/** A frame with so much of the weight of the first one of a step is part of it. */
const ALMOST = 0.95;
const MOST_STEPS = 8;
/** So many steps are told beyond the one that answers: a recursion would go on. */
const MOST_BEYOND = 3;
/** The path goes on as long as it has so much of the whole. */
const LEAST_OF_WHOLE = 0.05;

function pathSteps(
  rows: readonly number[],
  answering: { readonly row: number; readonly share: number },
  sums: ReturnType<ProfileView['sums']>,
  weights: Float64Array,
  whole: number,
  metric: 'samples' | 'time',
): readonly PathStep[] {
  const { tree } = sums;
  const self = metric === 'samples' ? sums.selfCount : sums.selfTime.ns;
  const steps: PathStep[] = [];
  let answeringStep: number = NONE;
  for (let from = 0; from < rows.length;) {
    let to = from;
    const isAnswer = rows[from] === answering.row;
    if (isAnswer) answeringStep = steps.length + 1;
    while (
      to + 1 < rows.length &&
      rows[to + 1] !== answering.row &&
      weights[rows[to + 1]] >= ALMOST * weights[rows[from]]
    )
      to++;
    const at = (row: number): NonNullable<PathStep['last']> => ({
      id: tree.idOf(row),
      label: displayLabel(tree, row),
      share: weights[row] / whole,
    });
    steps.push({
      ...at(rows[from]),
      between: Math.max(0, to - from - 1),
      last: to === from ? undefined : at(rows[to]),
      self: rows.slice(from, to + 1).reduce((sum, row) => sum + self[row], 0) / whole,
      onAllPaths: isAnswer ? answering.share : undefined,
    });
    from = to + 1;
  }
  const end = answeringStep === NONE ? MOST_STEPS : answeringStep + MOST_BEYOND;
  return steps.slice(0, Math.min(MOST_STEPS, end));
}

/** The sentence does not name a pool that has a smaller share of the method. */
const LEAST_OF_POOL = 0.1;

/** `withStack`: behind the name of the whole. `noun`: of its threads; undefined: it has one. */
function answerOf(
  method: HotMethod,
  whole: string,
  withStack: string,
  noun: string | undefined,
): Summary['answer'] {
  const pools = method.pools.filter(({ pool, share }) => share >= LEAST_OF_POOL && !pool.startsWith('('));
  const hasCallers = pools.length > 0 && noun !== undefined && CALLERS.includes(noun);
  const threads = hasCallers ? `, called by ${listed(pools.map((pool) => poolText(pool, noun)))}` : '';
  const when = method.when === undefined ? '' : WHEN[method.when.pattern];
  const verb = whole.endsWith('s') ? 'are' : 'is';
  return {
    text: `of ${whole}${withStack} ${verb} in ${nameOfLabel(method.ref.label)}${threads}${when}`,
    share: method.total,
    method,
  };
}

const WHEN: Readonly<Record<TimePattern, string>> = {
  once: ', all of it within a twelfth of the time',
  few: '',
  burst: ', most of it within a twelfth of the time',
  steady: ', steady over the whole time',
  intermittent: ', now and then',
};

/** Nouns of threads that call: hours do not. */
const CALLERS: readonly string[] = ['thread', 'pool', 'host', 'instance', 'service'];

/** `6 threads http-worker-*`; `main`. */
export function poolText({ pool, threads }: Pick<PoolShare, 'pool' | 'threads'>, noun = 'thread'): string {
  if (pool === '') return threads === 1 ? `a ${noun} without a name` : `${threads} ${noun}s without a name`;
  return threads === 1 ? pool : `${formatQuantity(threads, noun)} ${pool}`;
}

function listed(texts: readonly string[]): string {
  if (texts.length < 2) return texts.join('');
  return `${texts.slice(0, -1).join(', ')} and ${texts[texts.length - 1]}`;
}

/** Sentences about the losses of a file, without those that samples without a stack tell of the scope. */
function lostTexts(view: ProfileView, facts: LogFacts): readonly string[] {
  const { counted, values } = view;
  const { samples } = sumSelfValues(values);
  const errors = counted.errors;
  const inScope = view.query.hidesErrors ? samples + errors : samples;
  const noStack = errors === 0 ? [] : [`no stack ${formatShare(errors, inScope, 1)}`];
  const others = healthOf(facts).filter(({ id }) => id !== 'errors');
  return [...noStack, ...others.map(lostText)];
}

function lostText({ title, amount }: HealthItem): string {
  const text = title.charAt(0).toLowerCase() + title.slice(1);
  return amount === '' ? text : `${text}: ${amount}`;
}
