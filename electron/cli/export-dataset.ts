/** The command `export`: another format, or a dataset to which profiles are added. */
import { hostname } from 'node:os';
import { statSync } from 'node:fs';
import { selectingOf } from '../../shared/scope/scope.ts';
import { boundsOf, isDate } from '../../shared/scope/time-range.ts';
import { sampleTypeChoice } from '../../shared/facts/choice.ts';
import { formatCount, formatQuantity } from '../../shared/text/format-value.ts';
import { UNBOUNDED } from '../../shared/engine/values/time-range.ts';
import { type DatasetLabels, datasetRows } from '../fleet/dataset-rows.ts';
import { writeDataset } from '../fleet/write-dataset.ts';
import { errnoOf } from '../source/source-error.ts';
import { answer, questionOf, readQuestion, requireSamples } from './ask-profile.ts';
import { OPERATION } from '../../shared/scope/context-condition.ts';
import { type CommandIo, type ExitStatus, inputName, writeError, writeMessage } from './io/command-io.ts';
import { didYouMean, UsageError } from './options/usage-error.ts';
import { DATASET } from './options/command-options.ts';
import { COMMANDS } from './options/commands.ts';
import { exportRequest, writeRequested } from './export-command.ts';
import { type Arguments, filesOf, readArguments, type ValuesOf } from './options/options.ts';

type ExportArguments = Arguments<ValuesOf<typeof COMMANDS.export.options>>;

const LABELS: readonly string[] = [
  'service',
  'host',
  'instance',
  'version',
] satisfies (keyof DatasetLabels)[];

export async function exportCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.export.options);
  if (args.values.format === DATASET) return exportDataset(args, io);
  return writeRequested(exportRequest(args), io);
}

/** Adds each file to the dataset. Throws UsageError, and CommandError. */
async function exportDataset(args: ExportArguments, io: CommandIo): Promise<ExitStatus> {
  const { output: dir, every, label, filter } = args.values;
  if (dir === undefined || dir === '-') throw new UsageError('--format dataset needs -o DIR, a folder');
  if (statSync(dir, { throwIfNoEntry: false })?.isFile() === true)
    throw new UsageError(`${dir}: is a file; a dataset is a folder`);
  if (filter.length > 0 || args.values['hide-errors'])
    throw new UsageError('--format dataset writes whole stacks: it takes neither --filter nor --hide-errors');
  const unknown = Object.keys(label).find((name) => !LABELS.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `--label ${unknown}: a label is one of ${LABELS.join(', ')}${didYouMean(unknown, LABELS)}`,
    );
  const labels = { service: 'unnamed', host: hostname(), instance: '', ...label };
  let status: ExitStatus = 0;
  for (const path of filesOf('export', args)) {
    const question = questionOf('export', { ...args, files: [path] });
    if (selectingOf(question.query.scope) === undefined)
      throw new UsageError(
        'a dataset has stacks as they were recorded: choose threads, times, --keep and --drop now, and change stacks when it is read',
      );
    const needsTimes = every === 0 ? undefined : '--every';
    const asked = await readQuestion({ ...question, needsTimes, wantsTimes: true }, io);
    const { read, query } = asked;
    const { facts } = read;
    const { samples } = read.profile;
    const attribute = (samples?.contexts.length ?? 0) > 0 ? OPERATION : undefined;
    const { view } = requireSamples(answer({ ...asked, query: { ...query, attribute } }));
    const { isOutside } = view.alone;
    const { scope } = query;
    const span = spanOf(read);
    if (every !== 0 && span === undefined)
      throw new UsageError(
        `--every: ${inputName(path)} has times since its recording began, and not those of a clock`,
      );
    const range =
      scope.range === undefined || samples === undefined ? UNBOUNDED : boundsOf(scope.range, samples);
    const rows = datasetRows({
      profile: view.recorded.profile,
      isByOperation: attribute !== undefined,
      units: facts.units,
      labels,
      span,
      isOutside,
      ...range,
      samples: view.samplesInContexts,
      values: view.inRange,
      type: sampleTypeChoice(facts.choices)?.chosen ?? facts.units.counted.many,
      everyNs: every === 0 ? undefined : BigInt(Math.round(every * 1e6)),
    });
    try {
      writeDataset(dir, rows, labels, new Date());
    } catch (error) {
      throw errnoOf(error) === undefined ? error : writeError(dir, error);
    }
    if (rows.rounded > 0)
      writeMessage(
        io,
        `${inputName(path)}: ${formatQuantity(rows.rounded, 'count')} rounded to whole numbers`,
      );
    for (const problem of read.problems) writeMessage(io, problem);
    if (io.showsProgress)
      writeMessage(io, `${inputName(path)}: ${formatCount(Number(rows.written))} samples added to ${dir}`);
    if (read.status !== 0) status = read.status;
  }
  return status;
}

function spanOf({
  firstTime,
  lastTime,
}: {
  readonly firstTime: bigint | undefined;
  readonly lastTime: bigint | undefined;
}) {
  if (firstTime === undefined || lastTime === undefined || !isDate(firstTime)) return undefined;
  return { from: firstTime, to: lastTime };
}
