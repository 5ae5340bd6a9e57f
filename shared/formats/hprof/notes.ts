import { formatCount, formatQuantity } from '../../text/format-value.ts';
import { type FormatLoss, lossOf, WITHOUT_CALLERS } from '../../facts/losses.ts';
import type { EmittedSamples } from './emit-samples.ts';
import type { Counted, Dialect } from './dialect.ts';
import type { HprofOptions } from './hprof-options.ts';
import type { SampleTables } from './sample-tables.ts';

/** Contents of a file that notes are about. */
interface NotedContents {
  readonly tables: SampleTables;
  readonly counted: Counted;
  readonly dialect: Dialect | undefined;
  readonly options: HprofOptions;
  readonly duplicateTraces: number;
  readonly hasHeapDump: boolean;
  readonly depthLimit: number | undefined;
  readonly isLimitGuessed: boolean;
}

/** What users should know about the numbers of this file; the most important first. */
export function hprofNotes(contents: NotedContents, emitted: EmittedSamples): string[] {
  const { tables, counted, dialect, options, duplicateTraces, hasHeapDump } = contents;
  const { sum, unknownTraces } = emitted;
  const table = tables.last;
  const notes: string[] = [];
  if (table === undefined || sum === 0) notes.push(emptyNote(contents));
  if (sum > 0 && hasHeapDump)
    notes.push('The file also contains a heap dump, which is not shown: open it with a heap analyser.');
  if (counted === 'samples' && options.period === undefined && sum > 0) {
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
  if (table !== undefined) notes.push(...unlistedNotes(contents, emitted));
  if (tables.begun > 1) {
    notes.push(
      `The file has ${tables.begun} tables of samples. Each repeats the counts of the one before, so only the last complete one is shown.`,
    );
  }
  notes.push(...truncationNotes(contents, emitted));
  if (unknownTraces > 0) {
    notes.push(
      `${formatQuantity(unknownTraces, 'row')} of the table skipped: the file does not contain the ${unknownTraces === 1 ? 'trace' : 'traces'}.`,
    );
  }
  if (duplicateTraces > 0) {
    notes.push(`${formatQuantity(duplicateTraces, 'trace')} skipped: an earlier trace has the same number.`);
  }
  return notes;
}

const MEANING = {
  android: 'Threads were sampled in every state: counts stand for wall-clock time, including waiting.',
  agent:
    'Only runnable threads were sampled. A thread that waits in native code, such as for a socket, counts as runnable.',
};

function emptyNote({ tables }: NotedContents): string {
  return tables.last === undefined
    ? 'The file contains no table of CPU samples.'
    : 'The table of CPU samples is empty: no sample was taken.';
}

function unlistedNotes({ tables, counted }: NotedContents, { notListed }: EmittedSamples): string[] {
  const table = tables.last;
  if (table === undefined) return [];
  if (counted === 'calls') {
    let share = 0;
    for (let row = 0; row < table.length; row++) share += table.share[row];
    // Every row is rounded, so less than a percent may be a rounding error.
    if (share >= 9_900) return [];
    return [
      `The table lists ${(share / 100).toFixed(2)} % of the time; the rest is below the cutoff of the agent.`,
    ];
  }
  if (notListed === 0) return [];
  const unit = counted === 'cost' ? 'millisecond' : 'sample';
  const stacks = notListed === 1 ? 'its stack is' : 'their stacks are';
  return [
    `${formatQuantity(notListed, unit)} of ${formatCount(table.total)} not listed: ${stacks} below the cutoff of the agent, or the file is damaged.`,
  ];
}

function truncationNotes(
  { depthLimit, isLimitGuessed }: NotedContents,
  { truncatedSamples, sum }: EmittedSamples,
): string[] {
  if (depthLimit === undefined || truncatedSamples === 0) return [];
  const limit = isLimitGuessed ? 'probably the depth limit' : 'the depth limit';
  const share = ((truncatedSamples / sum) * 100).toFixed(1);
  return [
    `${share} % of all counts have stacks of ${depthLimit} frames, ${limit}: their callers may be missing.`,
  ];
}

/** What of the samples the file lacks. */
export function hprofLosses(
  { depthLimit, duplicateTraces, counted, options }: NotedContents,
  { truncatedSamples, notListed, unknownTraces }: EmittedSamples,
): readonly FormatLoss[] {
  const [one, many] = counted === 'cost' ? ['millisecond', 'milliseconds'] : [counted.slice(0, -1), counted];
  const grouped = options.groupsTruncated ? '' : ' The option "Group truncated stacks" puts them together.';
  return [
    ...lossOf(
      'truncated',
      [truncatedSamples, one, many],
      `Their stacks have ${formatQuantity(depthLimit ?? 0, 'frame')}, the depth limit. ${WITHOUT_CALLERS}`,
      `Record with a larger depth.${grouped}`,
    ),
    ...lossOf(
      'failed',
      [notListed, one, many],
      'The table does not list them: their stacks are below the cutoff of the agent, or the file is damaged.',
      'Record with cutoff=0.',
    ),
    ...lossOf('uncounted', [unknownTraces, 'row'], 'The file does not contain their traces.'),
    ...lossOf('uncounted', [duplicateTraces, 'trace'], 'An earlier trace has the same number.'),
  ];
}
