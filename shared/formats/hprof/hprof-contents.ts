import type { KeepBytes } from '../../bytes/keep-bytes.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { type ProfileUnits, SAMPLES_AND_TIME, SAMPLES_ONLY } from '../../profile/profile-units.ts';
import type { Counted, Dialect } from './dialect.ts';
import { FrameColumns, type FrameIds, ROWS } from './frame-columns.ts';
import { type EmittedSamples, emitSamples } from './emit-samples.ts';
import { hprofChoices, type HprofOptions } from './hprof-options.ts';
import { hprofLosses, hprofNotes } from './notes.ts';
import { SampleTables } from './sample-tables.ts';
import { ThreadHistory } from './thread-history.ts';
import { TraceTable } from './trace-table.ts';

const NS_PER_MS = 1e6;
const UNITS: Readonly<Record<Exclude<Counted, 'samples'>, ProfileUnits>> = {
  calls: { counted: { one: 'call', many: 'calls' }, value: { name: 'Time', unit: 'ns' } },
  cost: { counted: { one: 'millisecond', many: 'milliseconds' }, value: { name: 'Time', unit: 'ns' } },
};

/** Contents that binary and text files have in common. They are emitted when the complete file has been read. */
export class HprofContents {
  readonly threads: ThreadHistory;
  readonly traces: TraceTable;
  readonly tables = new SampleTables();
  readonly frames: FrameColumns;
  /** How the stacks of `traces` refer to frames. */
  frameIds: FrameIds = ROWS;
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
  emitted: EmittedSamples | undefined;
  readonly options: HprofOptions;

  constructor(options: HprofOptions, keeps?: KeepBytes) {
    this.options = options;
    this.traces = new TraceTable(keeps);
    this.threads = new ThreadHistory(keeps);
    this.frames = new FrameColumns(keeps);
  }

  get units(): ProfileUnits {
    if (this.counted !== 'samples') return UNITS[this.counted];
    return this.options.period === undefined ? SAMPLES_ONLY : SAMPLES_AND_TIME;
  }

  emitSamples(sink: SampleSink): void {
    this.emitted = emitSamples(
      sink,
      this,
      this.tables.last,
      (count, share, total) => this.#value(count, share, total),
      this.options.groupsTruncated,
    );
    this.traces.tree.release();
  }

  /** See `ProfileDecoder`: a file with nothing but a heap dump is refused. */
  get refusal(): string | undefined {
    if (this.emitted === undefined || !this.hasHeapDump) return undefined;
    const { sum, notListed } = this.emitted;
    return sum === 0 && notListed <= 0 ? 'a heap dump without CPU samples' : undefined;
  }

  get instead(): string | undefined {
    return this.refusal && 'open it with a heap analyser, such as Eclipse MAT or VisualVM';
  }

  facts(): FormatFacts {
    return {
      ...NO_FACTS,
      units: this.units,
      // A stack without frames becomes one frame in the call tree; so do the samples that the file does not list.
      deepestStack: (this.emitted?.deepestStack ?? 0) === 0 ? undefined : this.emitted?.deepestStack,
      choices: hprofChoices(this.options, this.counted !== 'samples'),
      notes: this.emitted === undefined ? [] : hprofNotes(this, this.emitted),
      losses: this.emitted === undefined ? [] : hprofLosses(this, this.emitted),
      tables: this.threads.threads.length === 0 ? [] : [this.threads.table()],
    };
  }

  #value(count: number, share: number, total: number): number {
    switch (this.counted) {
      case 'samples':
        return Math.round(count * (this.options.period ?? 0) * NS_PER_MS);
      case 'calls':
        // `share` is in hundredths of a percent of `total` ms, so times are exact to ±0.005 % of the total.
        return Math.round(((total || 0) * share * NS_PER_MS) / 1e4);
      case 'cost':
        return count * NS_PER_MS;
    }
  }
}
