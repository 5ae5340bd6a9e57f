/** Whether shares of two recordings, or groups of them, mean the same. */
import { COMPACT_HEADERS, COOPERATIVE } from './java-releases.ts';
import { formatSpan } from '../text/format-value.ts';
import { byPool } from '../text/thread-pools.ts';
import { majorVersion } from '../text/java-version.ts';
import { sampleTypeChoice } from './choice.ts';
import type { LogFacts } from './log-facts.ts';

/** A recording, as far as it tells how it was made. */
export interface ComparedRecording {
  readonly facts: Pick<
    LogFacts,
    | 'formatName'
    | 'choices'
    | 'javaVersion'
    | 'spanNs'
    | 'damage'
    | 'losses'
    | 'truncated'
    | 'tables'
    | 'units'
  >;
  /** Printable names. */
  readonly threads: ReadonlySet<string>;
}

/** The differences between recordings of two sides besides their samples. */
export interface Comparability {
  /** Clauses: what makes shares mean something else. */
  readonly warnings: readonly string[];
  /** Clauses: what a reader should know. */
  readonly notes: readonly string[];
  /** One sentence for people: whether the two sides can be compared, and what differs. */
  readonly text: string;
}

/** Recordings whose lengths differ by less are about as long. */
const AS_LONG = 3;
/** Rows of the table of a JVM that say how it was set up. */
const SETTINGS: readonly string[] = [
  'Virtual machine',
  'Garbage collector',
  'Compact headers',
  'AOT cache',
  'Cores',
  'Stack depth',
];

/** Compares how the recordings of two sides were made. */
export function comparability(
  base: readonly ComparedRecording[],
  next: readonly ComparedRecording[],
): Comparability {
  const warnings: string[] = [];
  const notes: string[] = [];
  const compare = (what: string, valueOf: (recording: ComparedRecording) => string | undefined): boolean => {
    const [before, after] = [base, next].map((side) => distinct(side.map(valueOf)));
    if (before === '' || after === '' || before === after) return false;
    warnings.push(`${what} ${before} before and ${after} now`);
    return true;
  };
  compare('the format is', ({ facts }) => facts.formatName);
  compare('the sample type is', ({ facts }) => sampleTypeChoice(facts.choices)?.chosen);
  compare('samples stand for', ({ facts }) => periodOf(facts));
  const majors = [base, next].map((side) =>
    side.flatMap(({ facts }) => majorVersion(facts.javaVersion ?? '') ?? []),
  );
  if (compare('Java is', ({ facts }) => majorVersion(facts.javaVersion ?? '')?.toString())) {
    const crosses = (release: number): boolean =>
      majors.some((side) => side.some((major) => major < release)) &&
      majors.some((side) => side.some((major) => major >= release));
    if (crosses(COOPERATIVE))
      warnings.push(
        'from Java 25 on, a recording samples cooperatively, so that a few methods have other shares by that alone',
      );
    if (crosses(COMPACT_HEADERS))
      warnings.push(
        'from Java 27 on, objects have smaller headers, so that allocations shrink by themselves',
      );
  }
  for (const setting of SETTINGS)
    compare(`${setting.toLowerCase()} ${setting.endsWith('s') ? 'are' : 'is'}`, ({ facts }) =>
      settingOf(facts, setting),
    );
  const lengths = [base, next].map((side) => mean(side.flatMap(({ facts }) => facts.spanNs ?? [])));
  const [before, after] = lengths;
  if (
    before !== undefined &&
    after !== undefined &&
    Math.max(before, after) > AS_LONG * Math.min(before, after)
  )
    warnings.push(`recordings last ${formatSpan(before)} before and ${formatSpan(after)} now`);
  for (const [name, side] of [
    ['base', base],
    ['new', next],
  ] as const) {
    if (side.some(({ facts }) => facts.damage !== undefined)) warnings.push(`a ${name} file is damaged`);
    if (side.some(({ facts }) => facts.losses.length > 0))
      notes.push(`a ${name} file has lost samples: see its summary`);
    if (side.some(({ facts }) => facts.truncated !== undefined))
      notes.push(`stacks of a ${name} file are cut`);
  }
  const [old, now] = [base, next].map((side) => new Set(side.flatMap(({ threads }) => [...threads])));
  const only = (one: ReadonlySet<string>, other: ReadonlySet<string>): readonly string[] =>
    [...one].filter((thread) => !other.has(thread));
  for (const [name, threads] of [
    ['base', only(old, now)],
    ['new', only(now, old)],
  ] as const)
    if (threads.length > 0) notes.push(`threads only in the ${name}: ${listed(threads)}`);
  const also = notes.length === 0 ? '' : ` Also: ${notes.join('; ')}.`;
  const verdict =
    warnings.length > 0
      ? `Compare with care: ${warnings.join('; ')}.`
      : 'The recordings were made in the same way, as far as they tell.';
  return { warnings, notes, text: verdict + also };
}

/** `20 ms`; undefined where a file does not tell. */
function periodOf({ choices }: ComparedRecording['facts']): string | undefined {
  const period = choices.find(({ id }) => id === 'period');
  return period?.kind === 'number' && period.chosen !== undefined
    ? `${period.chosen} ${period.unit}`
    : undefined;
}

function settingOf({ tables }: ComparedRecording['facts'], setting: string): string | undefined {
  for (const { title, rows } of tables) {
    if (title !== 'JVM') continue;
    const row = rows.find(([name]) => name === setting);
    if (row?.[1] !== undefined) return String(row[1]);
  }
  return undefined;
}

/** `17`, `17 and 25`; empty where none tells. */
function distinct(values: readonly (string | undefined)[]): string {
  return [...new Set(values.filter((value) => value !== undefined && value !== ''))].sort().join(' and ');
}

function mean(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : numbers.reduce((all, each) => all + each, 0) / numbers.length;
}

/** `a, http-worker-* (6), c and 4 others` */
function listed(names: readonly string[]): string {
  const all = [...byPool(names)].map(([pool, of]) => (of.length === 1 ? of[0] : `${pool} (${of.length})`));
  const shown = all.sort().slice(0, 3);
  const rest = all.length - shown.length;
  return `${shown.join(', ')}${rest === 0 ? '' : ` and ${rest} ${rest === 1 ? 'other' : 'others'}`}`;
}
