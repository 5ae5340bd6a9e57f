import {
  capitalised,
  formatBytes,
  formatCount,
  formatQuantity,
  formatShare,
  formatSpan,
} from '../text/format-value.ts';
import { printable } from '../text/printable.ts';
import { agctError } from './agct-errors.ts';
import type { LogFacts } from './log-facts.ts';
import { type FormatLoss, type ThreadSamples, WITHOUT_CALLERS } from './losses.ts';

/** Something that a log lacks, for users. */
export interface HealthItem {
  /** Stable, for programs and tests. */
  readonly id:
    | 'damage'
    | 'errors'
    | FormatLoss['kind']
    | 'gaps'
    | 'backward-steps'
    | 'unnamed-methods'
    | 'skipped'
    | 'pending';
  readonly title: string;
  /** The amount that was lost. */
  readonly amount: string;
  /** Samples of which the amount says a share. */
  readonly samples?: PartOfSamples;
  /** Sentences: what it means for the numbers. */
  readonly why: string;
  /** Sentences: what to do; undefined where there is nothing to do. */
  readonly advice: string | undefined;
  /** Parts of the amount, the largest first. */
  readonly parts: readonly HealthPart[];
}

export interface PartOfSamples {
  readonly part: number;
  readonly whole: number;
}

interface HealthPart {
  readonly title: string;
  readonly amount: string;
  readonly samples: PartOfSamples;
  readonly why: string;
  readonly advice: string;
  /** `main 300, worker-1 20`. */
  readonly threads: string;
}

const COUNTS_STAY = 'Numbers of samples are not affected.';

/** Losses of a log, the most important first; empty if there are none. */
export function healthOf(facts: LogFacts): readonly HealthItem[] {
  return [
    damage(facts),
    errors(facts),
    truncated(facts),
    ...facts.losses.map(fromFormat),
    gaps(facts),
    backwardSteps(facts),
    unnamedMethods(facts),
    skipped(facts),
    pending(facts),
  ].filter((item) => item !== undefined);
}

function damage({
  damage: found,
  acceptedBytes,
  skippedBytes,
  pendingBytes,
}: LogFacts): HealthItem | undefined {
  if (found === undefined) return undefined;
  const bytes = acceptedBytes + skippedBytes + pendingBytes;
  const { isLimit, what, byteOffset } = found;
  return item(
    'damage',
    isLimit === true ? 'Read in part' : 'Damage',
    `${what} at byte ${formatCount(byteOffset)}: ${formatShare(acceptedBytes, bytes, 1)} of the file was read`,
    `Found ${found.found}, expected ${found.expected}. Everything before it is shown, nothing after it is guessed.`,
    isLimit === true
      ? undefined
      : 'Copy the file again. If it is damaged where it was written, the disk was full or two programs wrote to it.',
  );
}

function errors({ errorSamples, errorThreads, samples }: LogFacts): HealthItem | undefined {
  const codes = Object.entries(errorSamples).filter(([, count]) => count > 0);
  if (codes.length === 0) return undefined;
  const sum = codes.reduce((all, [, count]) => all + count, 0);
  const parts = codes
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]): HealthPart => {
      const { name, why, advice } = agctError(code);
      return {
        title: `${capitalised(name)} (${code})`,
        amount: `${formatQuantity(count, 'sample')}, ${formatShare(count, samples, 1)}`,
        samples: { part: count, whole: samples },
        why,
        advice,
        threads: threadsText(errorThreads[code] ?? [], count),
      };
    });
  return {
    ...item(
      'errors',
      'Samples without a stack',
      `${formatCount(sum)} of ${formatQuantity(samples, 'sample')}, ${formatShare(sum, samples, 1)}`,
      'The JVM could not walk these stacks. The time was spent, but it is not known in which method, so the self shares of the methods do not add up to 100 %.',
      'Hide errors to see shares of the samples with a stack.',
    ),
    samples: { part: sum, whole: samples },
    parts,
  };
}

/** The threads that are known, and the samples of all others. */
function threadsText(threads: readonly ThreadSamples[], samples: number): string {
  const rest = threads.reduce((left, each) => left - each.samples, samples);
  const texts = threads.map(
    (each) =>
      `${each.thread === '' ? 'threads without a name' : printable(each.thread)} ${formatCount(each.samples)}`,
  );
  return [...texts, ...(rest > 0 && texts.length > 0 ? [`others ${formatCount(rest)}`] : [])].join(', ');
}

function truncated({ truncated: cut, choices }: LogFacts): HealthItem | undefined {
  if (cut === undefined) return undefined;
  const grouping = choices.find(({ id }) => id === 'cut')?.name;
  return item(
    'truncated',
    'Truncated stacks',
    `${formatQuantity(cut.stacks, 'stack')} of ${formatQuantity(cut.depth, 'frame')}, probably the agent's limit`,
    WITHOUT_CALLERS,
    `Record with a larger maxFrames, up to 2047.${grouping === undefined ? '' : ` The option "${grouping}" puts them together.`}`,
  );
}

const LOSS_TITLES: Readonly<Record<FormatLoss['kind'], string>> = {
  truncated: 'Truncated stacks',
  failed: 'Samples without a stack',
  uncounted: 'Not counted',
};

function fromFormat({ kind, amount, why, advice }: FormatLoss): HealthItem {
  return item(kind, LOSS_TITLES[kind], amount, why, advice);
}

function gaps({ gaps: found }: LogFacts): HealthItem | undefined {
  if (found === undefined || found.count === 0) return undefined;
  return item(
    'gaps',
    'Gaps between samples',
    `${formatQuantity(found.count, 'gap')} of ${formatSpan(found.leastNs)} or more, ${formatSpan(found.totalNs)} together, the longest ${formatSpan(found.longestNs)}`,
    `The agent samples while the program uses processor time: it was waiting, or sampling was stopped. The time of a gap is charged to the sample before it. ${COUNTS_STAY}`,
    'Compare samples, not time.',
  );
}

function backwardSteps({ backwardSteps: steps }: LogFacts): HealthItem | undefined {
  if (steps === undefined || steps === 0) return undefined;
  return item(
    'backward-steps',
    'Clock steps back',
    formatQuantity(steps, 'step'),
    `The time of a sample is measured to the next one in the log, so it is negative here. ${COUNTS_STAY}`,
    'Compare samples, not time.',
  );
}

function unnamedMethods({
  unnamedMethods: unnamed,
  methods,
  pendingBytes,
}: LogFacts): HealthItem | undefined {
  if (unnamed === 0) return undefined;
  return item(
    'unnamed-methods',
    'Methods without a name',
    `${formatCount(unnamed)} of ${formatQuantity(methods, 'method')}`,
    `Their definitions are not in the log${pendingBytes > 0 ? ' yet' : ''}: the classes were unloaded, or the log ends before. Each is shown by its number.`,
    undefined,
  );
}

function skipped({ skippedBytes, skips, damage: found }: LogFacts): HealthItem | undefined {
  if (skippedBytes === 0 && skips.length === 0) return undefined;
  const zeros = 'Zeros between records: a part of the file was not written. Its samples are missing.';
  const why = skips.length > 0 ? skips.join(' ') : zeros;
  return item(
    'skipped',
    skippedBytes === 0 ? 'Read in part' : 'Skipped bytes',
    // Some formats do not tell how long a skipped record is.
    skippedBytes === 0 ? '' : formatBytes(skippedBytes),
    found === undefined ? why : 'Everything after the damage.',
    undefined,
  );
}

function pending({ pendingBytes }: LogFacts): HealthItem | undefined {
  if (pendingBytes === 0) return undefined;
  return item(
    'pending',
    'Bytes at the end, not used yet',
    formatBytes(pendingBytes),
    'The end is not written yet: an incomplete record, or zeros that the writer has reserved. This is normal while the log grows; afterwards the last sample is missing.',
    undefined,
  );
}

function item(
  id: HealthItem['id'],
  title: string,
  amount: string,
  why: string,
  advice: string | undefined,
): HealthItem {
  return { id, title, amount, why, advice, parts: [] };
}
