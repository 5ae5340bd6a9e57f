import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { type Choice, type Chosen, chosenNumber, chosenSwitch } from '../../facts/choice.ts';
import { type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { type FormatLoss, lossNotes, lossOf, WITHOUT_CALLERS } from '../../facts/losses.ts';
import { type ProfileUnits, SAMPLES_AND_TIME, SAMPLES_ONLY } from '../../profile/profile-units.ts';
import { formatQuantity } from '../../text/format-value.ts';
import { type EmittedSamples, emitSamples, type FrameOf } from './emit-samples.ts';
import { ThreadHistory } from './thread-history.ts';
import { SampleTables, TraceTable } from './traces.ts';

/** The writer of a file: Android's SamplingProfiler or the JDK's agent. */
type Dialect = 'android' | 'agent';

/**
 * Meaning of the counts in a table.
 *
 *   samples   cpu=samples, and Android
 *   calls     cpu=times in a text file, where the percentages are times
 *   cost      cpu=times in a binary file: milliseconds
 */
export type Counted = 'samples' | 'calls' | 'cost';

const NS_PER_MS = 1e6;
const UNITS: Readonly<Record<Exclude<Counted, 'samples'>, ProfileUnits>> = {
  calls: { counted: { one: 'call', many: 'calls' }, value: { name: 'Time', unit: 'ns' } },
  cost: { counted: { one: 'millisecond', many: 'milliseconds' }, value: { name: 'Time', unit: 'ns' } },
};
/** The JDK agent's default, and what Android's framework used (specs: hprof, section 4). */
const USUAL_PERIOD_MS = 10;

/** Contents that binary and text files have in common. They are emitted when the complete file has been read. */
export class HprofContents {
  readonly threads: ThreadHistory;
  readonly traces: TraceTable;
  readonly tables = new SampleTables();
  dialect: Dialect | undefined;
  counted: Counted = 'samples';
  /** Maximum number of frames in a stack; undefined if unknown. */
  depthLimit: number | undefined;
  /** The limit is not in the file, but stacks look truncated. */
  isLimitGuessed = false;
  /** Number of traces skipped because an earlier one has the same id. */
  duplicateTraces = 0;
  /** The file contains a heap dump, which was skipped. */
  hasHeapDump = false;
  /** The sampling period in ms; undefined if not given. */
  readonly period: number | undefined;
  readonly groupsTruncated: boolean;
  #emitted: EmittedSamples | undefined;

  constructor(chosen: Chosen, memory: MemoryBudget) {
    this.period = chosenNumber(chosen, 'period');
    this.groupsTruncated = chosenSwitch(chosen, 'cut', true);
    this.traces = new TraceTable(memory);
    this.threads = new ThreadHistory(memory);
  }

  emitSamples(sink: SampleSink, frameOf: FrameOf): void {
    this.#emitted = emitSamples(
      sink,
      this,
      frameOf,
      this.tables.last,
      (count, share, total) => this.#value(count, share, total),
      this.groupsTruncated,
    );
    this.traces.tree.release();
  }

  /** A file with nothing but a heap dump is refused. */
  get refusal(): string | undefined {
    if (this.#emitted === undefined || !this.hasHeapDump) return undefined;
    const { sum, notListed } = this.#emitted;
    return sum === 0 && notListed <= 0 ? 'a heap dump without CPU samples' : undefined;
  }

  get instead(): string | undefined {
    return this.refusal && 'open it with a heap analyser, such as Eclipse MAT or VisualVM';
  }

  facts(): FormatFacts {
    const emitted = this.#emitted;
    const losses = emitted === undefined ? [] : hprofLosses(this, emitted);
    return {
      ...NO_FACTS,
      units: this.#units,
      // A stack without frames becomes one frame in the call tree; so do the samples that the file does not list.
      deepestStack: emitted === undefined || emitted.deepestStack === 0 ? undefined : emitted.deepestStack,
      choices: this.#choices,
      notes: emitted === undefined ? [] : [...hprofNotes(this, emitted.sum), ...lossNotes(losses)],
      losses,
      tables: this.threads.threads.length === 0 ? [] : [this.threads.table()],
    };
  }

  get #units(): ProfileUnits {
    if (this.counted !== 'samples') return UNITS[this.counted];
    return this.period === undefined ? SAMPLES_ONLY : SAMPLES_AND_TIME;
  }

  get #choices(): Choice[] {
    const cut: Choice = {
      id: 'cut',
      name: 'Group truncated stacks',
      hint: 'Stacks as deep as the depth limit may lack callers. They are grouped below a frame "(truncated)".',
      kind: 'switch',
      chosen: this.groupsTruncated,
    };
    // A file that has times needs no period.
    if (this.counted !== 'samples') return [cut];
    return [
      {
        id: 'period',
        name: 'Sampling period',
        hint: 'Not recorded in this format. If it is given, each sample stands for this time.',
        kind: 'number',
        unit: 'ms',
        suggested: USUAL_PERIOD_MS,
        chosen: this.period,
      },
      cut,
    ];
  }

  #value(count: number, share: number, total: number): number {
    switch (this.counted) {
      case 'samples':
        return Math.round(count * (this.period ?? 0) * NS_PER_MS);
      case 'calls':
        // `share` is in hundredths of a percent of `total` ms, so times are exact to ±0.005 % of the total.
        return Math.round(((total || 0) * share * NS_PER_MS) / 1e4);
      case 'cost':
        return count * NS_PER_MS;
    }
  }
}

/** The notes on the numbers of this file, the most important first. `sum`: of all counts. */
function hprofNotes(
  { tables, counted, dialect, period, hasHeapDump }: HprofContents,
  sum: number,
): readonly string[] {
  const table = tables.last;
  const notes: string[] = [];
  if (table === undefined) notes.push('The file contains no table of CPU samples.');
  else if (sum === 0) notes.push('The table of CPU samples is empty: no sample was taken.');
  if (sum > 0 && hasHeapDump)
    notes.push('The file also contains a heap dump, which is not shown: open it with a heap analyser.');
  if (counted === 'samples' && period === undefined && sum > 0) {
    notes.push('The sampling period is not recorded: samples have no time until it is given.');
  }
  if (counted === 'samples' && sum > 0 && dialect !== undefined) notes.push(MEANING[dialect]);
  if (counted === 'calls') {
    notes.push(
      'Methods were timed, not sampled (cpu=times): each call path has its number of calls and its self time, which the file contains only as a rounded percentage.',
    );
  }
  if (counted === 'cost') {
    notes.push(
      'Methods were timed, not sampled (cpu=times): each call path has its self time in milliseconds; the number of calls is not recorded.',
    );
  }
  if (counted === 'calls' && table !== undefined) {
    const share = table.share.subarray(0, table.length).reduce((all, each) => all + each, 0);
    // Every row is rounded, so less than a percent may be a rounding error.
    if (share < 9_900)
      notes.push(
        `The table lists ${(share / 100).toFixed(2)} % of the time; the rest is below the cutoff of the agent.`,
      );
  }
  if (tables.begun > 1) {
    notes.push(
      `The file has ${tables.begun} tables of samples. Each repeats the counts of the one before, so only the last complete one is shown.`,
    );
  }
  return notes;
}

const MEANING = {
  android: 'Threads were sampled in every state: counts stand for wall-clock time, including waiting.',
  agent:
    'Only runnable threads were sampled. A thread that waits in native code, such as for a socket, counts as runnable.',
};

/** The samples that the file lacks. */
function hprofLosses(
  { depthLimit, isLimitGuessed, duplicateTraces, counted, groupsTruncated }: HprofContents,
  { truncatedSamples, notListed, unknownTraces }: EmittedSamples,
): readonly FormatLoss[] {
  const [one, many] = counted === 'cost' ? ['millisecond', 'milliseconds'] : [counted.slice(0, -1), counted];
  const grouped = groupsTruncated ? '' : ' The option "Group truncated stacks" puts them together.';
  return [
    ...lossOf(
      'truncated',
      [truncatedSamples, one, many],
      `Their stacks have ${formatQuantity(depthLimit ?? 0, 'frame')}, ${isLimitGuessed ? 'probably ' : ''}the depth limit. ${WITHOUT_CALLERS}`,
      `Record with a larger depth.${grouped}`,
    ),
    ...lossOf(
      'failed',
      [notListed, one, many],
      'The table does not list them: their stacks are below the cutoff of the agent, or the file is damaged.',
      'Record with cutoff=0.',
    ),
    ...lossOf('uncounted', [unknownTraces, 'row'], 'The table names traces that are not in the file.'),
    ...lossOf('uncounted', [duplicateTraces, 'trace'], 'An earlier trace has the same number.'),
  ];
}
