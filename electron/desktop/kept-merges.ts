import { MERGED_THREADS } from '../../shared/facts/merged-threads.ts';
import type { MergedFiles } from '../host/merged-log.ts';
import type { Host } from '../host/host.ts';
import type { WriteSettings } from '../host/settings-writer.ts';
import { isFilePath } from './opened-files.ts';
import { readJson, writeJson } from './stored-json.ts';

const MOST_MERGES = 100;

/** The merged logs that were open when the program ended; what is invalid is left out. */
export function readKeptMerges(file: string): readonly MergedFiles[] {
  const { merges } = readJson(file);
  return (Array.isArray(merges) ? merges : [])
    .slice(0, MOST_MERGES)
    .flatMap((each: unknown): MergedFiles[] => {
      if (typeof each !== 'object' || each === null) return [];
      const { name, threads, files, isAgain } = each as Readonly<Record<string, unknown>>;
      const how = MERGED_THREADS.find((known) => known === threads);
      if (typeof name !== 'string' || how === undefined || !Array.isArray(files)) return [];
      if (files.length < 2 || !files.every(isFilePath)) return [];
      return [{ name, threads: how, files, ...(isAgain === true ? { isAgain } : {}) }];
    });
}

export const writeKeptMerges = (file: string, merges: readonly MergedFiles[], write?: WriteSettings): void =>
  writeJson(file, { merges }, write);

/** Merges these files again. Those that have no tab of their own are opened for it. Never rejects. */
export async function restoreMerges(
  merges: readonly MergedFiles[],
  host: Pick<Host, 'open' | 'merge' | 'close' | 'logs'>,
): Promise<void> {
  const tabs = new Set(host.logs().map(({ id }) => id));
  for (const { files, name, threads, isAgain: again = false } of merges) {
    const options = { show: false, remember: false, again };
    const opened = await Promise.all(files.map((path) => host.open(path, options).catch(() => undefined)));
    const parts = opened.flatMap((id) => id ?? []);
    host.merge(parts, { show: false, name, threads });
    for (const id of parts) if (!tabs.has(id)) host.close(id);
  }
}
