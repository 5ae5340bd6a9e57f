import { deltasOfWhole } from '../../shared/delta/make-delta.ts';
import { mergedFacts } from '../../shared/merge/merged-facts.ts';
import { type Chosen, MERGED_THREADS, type MergedThreads } from '../../shared/facts/choice.ts';
import { MergedProfile } from '../../shared/merge/merged-profile.ts';
import { partNames } from '../../shared/merge/part-names.ts';
import type { RecordCounts } from '../../shared/facts/format-facts.ts';
import { choiceValue, type OptionSpec, type ParsedArguments } from './arguments.ts';
import { CommandError, type CommandIo, UsageError } from './command-io.ts';
import { inputName } from './input-name.ts';
import { type ProfileContents, readProfile, type ReadProfile } from './read-profile.ts';

export const MERGE_FILES_OPTION: OptionSpec = {
  value: MERGED_THREADS.join('|'),
  choices: MERGED_THREADS,
  help: 'the FILEs are logs of one system, and are merged into one profile. groups: threads have the name of their file in front, and --threads group has one root per file; together: threads of one name are one',
};

/** How files are merged; undefined without the option. Throws UsageError. */
export function mergedThreadsOf(args: ParsedArguments): MergedThreads | undefined {
  if (!args.has('--merge-files')) return undefined;
  if (args.files.length < 2) throw new UsageError('--merge-files needs at least two FILEs');
  return choiceValue(args, '--merge-files', MERGED_THREADS, 'groups');
}

interface ReadOptions {
  /** See `readProfile`. */
  readonly samples: boolean;
  /** How to merge the files; undefined: they are one input. */
  readonly merge: MergedThreads | undefined;
}

/** Reads one input, or several that are merged. Throws as `readProfile` does, and CommandError for files that cannot be merged. */
export async function readContents(
  paths: readonly string[],
  chosen: Chosen,
  io: CommandIo,
  { samples, merge }: ReadOptions,
): Promise<ProfileContents> {
  if (merge === undefined) return readProfile(paths, chosen, io, { samples });
  const names = partNames(paths.map(inputName));
  const merged = new MergedProfile({ names, threads: merge, samples });
  const read: Omit<ReadProfile, 'aggregator' | 'reader' | 'profile'>[] = [];
  for (const [part, path] of paths.entries()) {
    const { profile, format, files, facts, counts, firstTime, lastTime, damage, problems, status } =
      await readProfile([path], chosen, io, { samples });
    for (const delta of deltasOfWhole(profile, profile.samples)) merged.apply(part, delta);
    read.push({ format, files, facts, counts, firstTime, lastTime, damage, problems, status });
  }
  const firstTime = earliest(read.map((each) => each.firstTime));
  const lastTime = latest(read.map((each) => each.lastTime));
  const facts = mergedFacts(
    read.map((each, part) => ({ name: names[part], facts: each.facts, state: undefined })),
    {
      threads: merge,
      timesAgree: merged.timesAgree,
      spanNs: firstTime === undefined || lastTime === undefined ? undefined : Number(lastTime - firstTime),
      lastTime: lastTime?.toString(),
    },
  );
  if (facts.problem !== undefined) {
    const { text, advice } = facts.problem;
    throw new CommandError(`${text.slice(0, -1)}; ${advice}`);
  }
  return {
    profile: merged.profile,
    format: read[0].format,
    files: read.flatMap(({ files }) => files),
    // What is chosen here is an option of its own.
    facts: { ...facts, choices: [] },
    counts: sumOf(read.map(({ counts }) => counts)),
    firstTime,
    lastTime,
    damage: read.find(({ damage }) => damage !== undefined)?.damage,
    problems: read.flatMap(({ problems }) => problems),
    status: read.some(({ status }) => status === 3) ? 3 : 0,
  };
}

function earliest(times: readonly (bigint | undefined)[]): bigint | undefined {
  return times.reduce((first, time) =>
    first === undefined || (time !== undefined && time < first) ? time : first,
  );
}

function latest(times: readonly (bigint | undefined)[]): bigint | undefined {
  return times.reduce((last, time) =>
    last === undefined || (time !== undefined && time > last) ? time : last,
  );
}

/** Undefined if a format does not count its records. */
function sumOf(all: readonly (RecordCounts | undefined)[]): RecordCounts | undefined {
  return all.reduce((sum, counts) => {
    if (sum === undefined || counts === undefined) return undefined;
    const records: Record<string, number> = { ...sum.records };
    for (const [type, count] of Object.entries(counts.records)) records[type] = (records[type] ?? 0) + count;
    return {
      samples: sum.samples + counts.samples,
      frames: sum.frames + counts.frames,
      methods: sum.methods + counts.methods,
      records,
    };
  });
}
