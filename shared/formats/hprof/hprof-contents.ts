import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { type ProfileUnits, SAMPLES_AND_TIME, SAMPLES_ONLY } from '../../profile/profile-units.ts';
import type { Counted, Dialect } from './dialect.ts';
import { FrameColumns, type FrameIds, ROWS } from './frame-columns.ts';
import { type EmittedSamples, emitSamples } from './emit-samples.ts';
import { hprofChoices, type HprofOptions } from './hprof-options.ts';
import { hprofNotes } from './notes.ts';
import { SampleTables } from './sample-tables.ts';
import { ThreadHistory } from './thread-history.ts';
import { TraceTable } from './trace-table.ts';

const NS_PER_MS = 1e6;
const UNITS: Readonly<Record<Exclude<Counted, 'samples'>, ProfileUnits>> = {
  calls: { counted: { one: 'call', many: 'calls' }, value: { name: 'Time', unit: 'ns' } },
  cost: { counted: { one: 'millisecond', many: 'milliseconds' }, value: { name: 'Time', unit: 'ns' } },
};

/** The contents common to binary and text files, and how they are emitted when everything was read. */
export class HprofContents {
  readonly threads = new ThreadHistory();
  readonly traces = new TraceTable();
  readonly tables = new SampleTables();
  readonly frames = new FrameColumns();
  /** How the stacks of `traces` name frames. */
  frameIds: FrameIds = ROWS;
  dialect: Dialect | undefined;
  counted: Counted = 'samples';
  /** Frames that a stack can have at most; undefined while unknown. */
  depthLimit: number | undefined;
  /** The limit is not in the file, but its stacks look cut. */
  isLimitGuessed = false;
  /** Traces whose id another one has. */
  duplicateTraces = 0;
  /** A heap dump was passed over. */
  holdsHeap = false;
  emitted: EmittedSamples | undefined;
  readonly options: HprofOptions;

  constructor(options: HprofOptions) {
    this.options = options;
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

  facts(): FormatFacts {
    return {
      ...NO_FACTS,
      units: this.units,
      choices: hprofChoices(this.options, this.counted !== 'samples'),
      notes: this.emitted === undefined ? [] : hprofNotes(this, this.emitted),
      tables: this.threads.threads.length === 0 ? [] : [this.threads.table()],
    };
  }

  #value(count: number, share: number, total: number): number {
    switch (this.counted) {
      case 'samples':
        return Math.round(count * (this.options.period ?? 0) * NS_PER_MS);
      case 'calls':
        // Hundredths of a percent of so many ms: exact to what the file says, ±0.005 % of the total.
        return Math.round(((total || 0) * share * NS_PER_MS) / 1e4);
      case 'cost':
        return count * NS_PER_MS;
    }
  }
}
