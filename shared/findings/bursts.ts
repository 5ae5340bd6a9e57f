import { type Part, shareInterval, type ShareInterval } from '../engine/values/share-change.ts';
import { NONE } from '../profile/columns.ts';
import type { StackFacts } from './stack-facts.ts';

/** Equal parts of the time, at whose edges bursts begin and end. */
const BINS = 120;
/** Methods that are looked at, the heaviest first. */
const MOST_METHODS = 48;
/** A burst has at least so many samples of its method. */
const LEAST_SAMPLES = 30;
/** A burst is at most half of the time: what is longer is the rule. */
const LONGEST = BINS / 2;
/** Shares of the time: a burst that begins in the first tenth and ends in the first quarter is the start of the program. */
const START_UP = { begins: BINS / 10, ends: BINS / 4 };
/** Twice the log likelihood of a burst against an even spread. Some 300,000 times are tried. */
const LEAST_EVIDENCE = 40;
/** In a burst, a method has at least so much more of the samples than else; a fraction. */
const LEAST_GAIN = 0.05;

/** A time in which a method has much more of the samples than else. */
export interface Burst {
  /** The nearest method of the program's own, or where there is none that in which samples ended. */
  readonly method: string;
  /** Row of the values -> 1 where it is the nearest method. */
  readonly rows: Uint8Array;
  readonly period: ReturnType<StackFacts['periodOf']>;
  /** Whether it begins with the time that is looked at. */
  readonly isFirst: boolean;
  /** Samples with the method on their stack, in the burst. */
  readonly samples: number;
  /** Shares of all samples in the burst, and of those outside of it, as in a view of this time. */
  readonly inside: ShareInterval & { readonly value: number };
  readonly outside: number;
}

/** A time in which a method is the nearest one more often than if its samples were spread like all others. */
interface Candidate extends Pick<Burst, 'method' | 'rows'> {
  /** Fractions of the time that is looked at. */
  readonly from: number;
  readonly to: number;
  /** Samples beyond the usual. */
  readonly gain: number;
}

/**
 * The bursts of methods, the one with most samples beyond the usual first; times of two do not overlap by more than half.
 * Each method has the time that is the least likely if its samples were spread like all others. What is told of it counts
 * each sample with the method on its stack, whatever else that has. O(samples + methods · BINS²).
 */
export function findBursts(stacks: StackFacts): readonly Burst[] {
  const { groupOf, methods } = heaviestMethods(stacks);
  const counts = methods.map(() => new Float64Array(BINS + 1));
  const all = new Float64Array(BINS + 1);
  const unknown = new Float64Array(BINS + 1);
  stacks.eachSample((row, share) => {
    if (stacks.running[row] === 0) return;
    const bin = 1 + Math.min(BINS - 1, Math.floor(share * BINS));
    all[bin]++;
    if (groupOf[row] !== NONE) counts[groupOf[row]][bin]++;
    else if (isUnknown(stacks, row)) unknown[bin]++;
  });
  for (let bin = 1; bin <= BINS; bin++) {
    all[bin] += all[bin - 1];
    unknown[bin] += unknown[bin - 1];
    for (const each of counts) each[bin] += each[bin - 1];
  }
  const candidates = methods.flatMap((method, group): Candidate[] => {
    const span = likeliestSpan(counts[group], all, unknown);
    if (span === undefined) return [];
    const rows = Uint8Array.from(groupOf, (of) => (of === group ? 1 : 0));
    return [{ method, rows, ...span }];
  });
  candidates.sort((a, b) => b.gain - a.gain);
  const taken: Candidate[] = [];
  return candidates.flatMap((candidate): Burst[] => {
    if (taken.some((other) => overlaps(candidate, other))) return [];
    const burst = told(stacks, candidate);
    if (burst === undefined) return [];
    taken.push(candidate);
    return [burst];
  });
}

/** The burst as a view of its time shows it; undefined where the method, with all that it calls, is in no burst. */
function told(stacks: StackFacts, { method, rows, from, to }: Candidate): Burst | undefined {
  const period = stacks.periodOf(from, to);
  const { inside, outside } = stacks.partsOf(method, period);
  const [share, usual] = [inside, outside].map(({ part, whole }) => shareInterval(part, whole));
  if (!isLarge(share, usual)) return undefined;
  return {
    method,
    rows,
    period,
    isFirst: from < START_UP.begins / BINS,
    samples: inside.part,
    inside: { ...share, value: shareOf(inside) },
    outside: shareOf(outside),
  };
}

/** Whether a share is beyond chance twice another one, and larger by LEAST_GAIN. */
function isLarge(share: ShareInterval | undefined, usual: ShareInterval | undefined): share is ShareInterval {
  if (share === undefined || usual === undefined) return false;
  return share.low >= 2 * usual.high && share.low - usual.high >= LEAST_GAIN;
}

const shareOf = ({ part, whole }: Part): number => part / whole;

/** Whether callers are cut off a stack, and among them all that are the program's own, so that its method is not known. */
function isUnknown({ truncated, own }: StackFacts, row: number): boolean {
  return truncated[row] === 1 && own[row] === NONE;
}

/** Row of the values -> its method among the heaviest; NONE for others. */
function heaviestMethods(stacks: StackFacts): { groupOf: Int32Array; methods: readonly string[] } {
  const { own, node, running, length } = stacks;
  const cause = (row: number): number => (own[row] === NONE ? node[row] : own[row]);
  const samplesOf = new Float64Array(stacks.profile.methods.length);
  const nodeOf = new Int32Array(samplesOf.length);
  for (let row = 0; row < length; row++) {
    if (running[row] === 0 || isUnknown(stacks, row)) continue;
    const method = stacks.methodOf(cause(row));
    samplesOf[method] += stacks.countOf(row);
    nodeOf[method] = cause(row);
  }
  const weights = new Map<string, number>();
  for (const [method, samples] of samplesOf.entries()) {
    const name = samples === 0 ? '' : stacks.nameOf(nodeOf[method]);
    if (samples > 0) weights.set(name, (weights.get(name) ?? 0) + samples);
  }
  const methods = Array.from(weights)
    .filter(([, samples]) => samples >= LEAST_SAMPLES)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_METHODS)
    .map(([name]) => name);
  const groups = new Map(methods.map((name, group) => [name, group]));
  const groupOfMethod = Int32Array.from(samplesOf, (samples, method) =>
    samples === 0 ? NONE : (groups.get(stacks.nameOf(nodeOf[method])) ?? NONE),
  );
  const groupOf = new Int32Array(length).fill(NONE);
  for (let row = 0; row < length; row++)
    if (running[row] === 1 && !isUnknown(stacks, row))
      groupOf[row] = groupOfMethod[stacks.methodOf(cause(row))];
  return { groupOf, methods };
}

/** `part`, `all`: running sums over the bins. `unknown`: of samples that may be of the method as well. */
function likeliestSpan(
  part: Float64Array,
  all: Float64Array,
  unknown: Float64Array,
): Omit<Candidate, 'method' | 'rows'> | undefined {
  const [parts, wholes] = [part[BINS], all[BINS]];
  let best = LEAST_EVIDENCE;
  let span: readonly [from: number, to: number] | undefined;
  const even = logLikelihood(parts, wholes);
  for (let from = 0; from < BINS; from++) {
    if (parts - part[from] < LEAST_SAMPLES) break;
    for (let to = from + 1; to <= Math.min(BINS, from + LONGEST); to++) {
      const inPart = part[to] - part[from];
      const inWhole = all[to] - all[from];
      if (inPart < LEAST_SAMPLES || inPart * wholes <= parts * inWhole) continue;
      const evidence =
        2 * (logLikelihood(inPart, inWhole) + logLikelihood(parts - inPart, wholes - inWhole) - even);
      if (evidence <= best) continue;
      best = evidence;
      span = [from, to];
    }
  }
  if (span === undefined) return undefined;
  const [from, to] = span;
  if (from < START_UP.begins && to <= START_UP.ends) return undefined;
  const inPart = part[to] - part[from];
  const inWhole = all[to] - all[from];
  // At other times, all stacks that are cut may be of the method.
  const cut = unknown[BINS] - (unknown[to] - unknown[from]);
  const outside = { part: parts - inPart, whole: wholes - inWhole };
  const usual = shareInterval(outside.part + cut, outside.whole);
  return isLarge(shareInterval(inPart, inWhole), usual)
    ? { from: from / BINS, to: to / BINS, gain: inPart - inWhole * shareOf(outside) }
    : undefined;
}

/** The largest log likelihood of so many successes among so many trials. */
function logLikelihood(part: number, whole: number): number {
  if (part <= 0 || part >= whole) return 0;
  return part * Math.log(part / whole) + (whole - part) * Math.log(1 - part / whole);
}

function overlaps(one: Candidate, other: Candidate): boolean {
  const common = Math.min(one.to, other.to) - Math.max(one.from, other.from);
  return common > Math.min(one.to - one.from, other.to - other.from) / 2;
}
