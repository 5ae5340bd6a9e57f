import { type Chosen, chosenSampleType, SAMPLE_TYPE_CHOICE } from '../../shared/facts/choice.ts';
import type { LogDescription, LogId } from '../../shared/protocol/messages.ts';
import type { MergedLog } from './merged-log.ts';
import type { OpenedAgain, OpenLog } from './open-log.ts';

/** Each has a thread and a profile of its own, and a page can ask for any number of them. */
export const MOST_MERGED = 16;
export const MOST_OF_ONE_FILE = 16;
export const TOO_MANY_MERGED = `${MOST_MERGED} merged logs are open, and no more can be. Close one of them first.`;
const TOO_MANY_OF_ONE_FILE = `This file is open in ${MOST_OF_ONE_FILE} tabs, and cannot be in more. Close one of them first, or the merged logs that read it on.`;

/** The open logs, which the host keeps. */
export interface OpenedLogs {
  openLog(id: LogId): OpenLog | undefined;
  mergedLog(id: LogId): MergedLog | undefined;
  /** Those that read a file, also without a tab. */
  logsOf(path: string): readonly OpenLog[];
  /** Fewer than MOST_MERGED merged logs are open. */
  canMerge(): boolean;
  /** A log of the same file or recording, which is in no list yet. */
  newAgain(description: Omit<LogDescription, 'id'>, again: OpenedAgain): OpenLog;
  /** Shows it in a tab of its own. */
  show(log: OpenLog): void;
  /** Merges logs that have no tab, and shows that as this one was named. */
  mergeHidden(parts: readonly OpenLog[], like: MergedLog, sameAs: LogId): void;
}

/**
 * Opens another log of the same file or recording with these choices, in a tab of its own; of merged logs each, with the
 * sample type that is chosen. Resolves to a sentence if it cannot. Thread dumps have no sample types.
 */
export async function openAgain(id: LogId, chosen: Chosen, logs: OpenedLogs): Promise<string | undefined> {
  const log = logs.openLog(id);
  if (log === undefined) return undefined;
  const merged = logs.mergedLog(id);
  const read = merged?.parts ?? [log];
  if (read.some(isOfThreadDumps)) return undefined;
  const chunks = await Promise.all(read.map((each) => each.copyChunks()));
  const isClosed = logs.openLog(id) !== log;
  const reason = isClosed ? undefined : reasonAgainst(read, merged !== undefined, logs);
  if (isClosed || reason !== undefined) {
    for (const each of chunks) void each.close();
    return reason;
  }
  const again = read.map((each, at) => {
    const { id: first, sameAs = first, ...description } = each.description;
    return logs.newAgain({ ...description, sameAs }, { log: each, chunks: chunks[at] });
  });
  if (merged === undefined) {
    again[0].choose(chosen);
    logs.show(again[0]);
    return undefined;
  }
  const type = chosenSampleType(chosen);
  for (const [at, part] of again.entries()) {
    const before = read[at].chosen;
    part.choose(type === undefined ? before : { ...before, [SAMPLE_TYPE_CHOICE]: type });
  }
  logs.mergeHidden(again, merged, log.description.sameAs ?? id);
  return undefined;
}

function reasonAgainst(read: readonly OpenLog[], isMerged: boolean, logs: OpenedLogs): string | undefined {
  if (isMerged && !logs.canMerge()) return TOO_MANY_MERGED;
  const tooMany = read.some(({ path = '' }) => {
    const more = read.filter((each) => each.path === path).length;
    return logs.logsOf(path).length + more > MOST_OF_ONE_FILE;
  });
  return tooMany ? TOO_MANY_OF_ONE_FILE : undefined;
}

function isOfThreadDumps({ description, file }: OpenLog): boolean {
  return description.isRecording === true && file?.leftOut === undefined;
}
