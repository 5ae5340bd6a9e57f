import { formatCount, formatQuantity } from '../../text/format-value.ts';
import type { EmittedSamples } from './emit-samples.ts';
import type { Counted, Dialect } from './dialect.ts';
import type { HprofOptions } from './hprof-options.ts';
import type { SampleTables } from './sample-tables.ts';

/** What the notes tell of. */
interface Noted {
  readonly tables: SampleTables;
  readonly counted: Counted;
  readonly dialect: Dialect | undefined;
  readonly options: HprofOptions;
  readonly duplicateTraces: number;
  readonly holdsHeap: boolean;
  readonly depthLimit: number | undefined;
  readonly isLimitGuessed: boolean;
}

/** What a reader of the numbers should know of this very file; the most important first. */
export function hprofNotes(contents: Noted, emitted: EmittedSamples): string[] {
  const { tables, counted, dialect, options, duplicateTraces, holdsHeap } = contents;
  const { sum, unknownTraces } = emitted;
  const table = tables.last;
  const notes: string[] = [];
  if (table === undefined || sum === 0) notes.push(emptyNote(contents));
  if (sum > 0 && holdsHeap)
    notes.push('The file holds a heap dump, too, which is not shown: open it with a heap analyser.');
  if (counted === 'samples' && options.period === undefined && sum > 0) {
    notes.push(
      'The file does not say how often samples were taken: they are counts until the sampling period is given.',
    );
  }
  if (counted === 'samples' && sum > 0 && dialect !== undefined) notes.push(MEANING[dialect]);
  if (counted === 'calls') {
    notes.push(
      'Methods were timed, not sampled (cpu=times): a call path has its number of calls and the own time of its innermost method, which the file gives as a rounded percentage only.',
    );
  }
  if (counted === 'cost') {
    notes.push(
      'Methods were timed, not sampled (cpu=times): a call path has the own time of its innermost method in milliseconds; how often it was called is not in the file.',
    );
  }
  if (table !== undefined) notes.push(...unlistedNotes(contents, emitted));
  if (tables.begun > 1) {
    notes.push(
      `The file has ${tables.begun} tables of samples, of which the later ones repeat the earlier ones: the last whole one counts.`,
    );
  }
  notes.push(...truncationNotes(contents, emitted));
  if (unknownTraces > 0) {
    notes.push(
      `${formatQuantity(unknownTraces, 'row')} of the table left out: the file has no such ${unknownTraces === 1 ? 'trace' : 'traces'}.`,
    );
  }
  if (duplicateTraces > 0) {
    notes.push(`${formatQuantity(duplicateTraces, 'trace')} left out: another one has the same number.`);
  }
  return notes;
}

const MEANING = {
  android:
    'A sample is one look at a thread in whatever state it was: counts stand for wall-clock time, waiting included.',
  agent:
    'Only threads that could run were sampled; waiting in native code, as for a socket, looks like running.',
};

function emptyNote({ holdsHeap, tables }: Noted): string {
  if (holdsHeap) {
    return 'The file is a heap dump and holds no CPU samples: open it with a heap analyser, such as Eclipse MAT or VisualVM.';
  }
  return tables.last === undefined
    ? 'The file holds no table of CPU samples.'
    : 'The table of CPU samples is empty: no sample was taken.';
}

function unlistedNotes({ tables, counted }: Noted, { notListed }: EmittedSamples): string[] {
  const table = tables.last;
  if (table === undefined) return [];
  if (counted === 'calls') {
    let share = 0;
    for (let row = 0; row < table.length; row++) share += table.share[row];
    // Every row is rounded; what is less than a percent away is not worth a sentence.
    if (share >= 9_900) return [];
    return [
      `${(share / 100).toFixed(2)} % of the time is listed; the rest fell below the cutoff that the agent was started with.`,
    ];
  }
  if (notListed === 0) return [];
  const thing = counted === 'cost' ? 'millisecond' : 'sample';
  return [
    `${formatQuantity(notListed, thing)} of ${formatCount(table.total)} not listed: their stacks fell below the cutoff that the agent was started with, or the file is damaged.`,
  ];
}

function truncationNotes(
  { depthLimit, isLimitGuessed }: Noted,
  { truncatedSamples, sum }: EmittedSamples,
): string[] {
  if (depthLimit === undefined || truncatedSamples === 0) return [];
  const limit = isLimitGuessed
    ? `as deep as the deepest, ${depthLimit}, which looks like a limit`
    : `as deep as the depth limit, ${depthLimit}`;
  const share = ((truncatedSamples / sum) * 100).toFixed(1);
  return [`${share} % of all counts have stacks ${limit}: their callers may be missing.`];
}
