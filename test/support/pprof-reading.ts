import { Profile } from 'pprof-format';
import { NO_LINE } from '../../shared/profile/frame-table.ts';
import { methodText, type ProfileStack } from './profile-stacks.ts';

/** `[thread tid=1];root:1;leaf:2` */
export const withLines = ({ thread, threadId, frames }: ProfileStack): string =>
  [`[${thread ?? ''} tid=${threadId}]`, ...frames.map((each) => `${methodText(each)}:${each.line}`)].join(
    ';',
  );

/** What pprof-format, another reader, makes of a profile: `[thread tid=1];root:1;leaf:2 values…` */
export function otherReading(bytes: Uint8Array, value: number): string[] {
  const profile = Profile.decode(bytes);
  const text = (index: number | bigint): string => profile.stringTable.strings[Number(index)];
  const locations = new Map(profile.location.map((location) => [String(location.id), location]));
  const functions = new Map(profile.function.map((each) => [String(each.id), each]));
  const sums = new Map<string, bigint>();
  for (const sample of profile.sample) {
    const label = (key: string): (typeof sample.label)[number] | undefined =>
      sample.label.find((each) => text(each.key) === key);
    const frames = sample.locationId.flatMap((id) =>
      (locations.get(String(id))?.line ?? []).map((line) => {
        const { name } = functions.get(String(line.functionId)) ?? { name: 0 };
        return `${text(name)}:${Number(line.line) > 0 ? Number(line.line) : NO_LINE}`;
      }),
    );
    const [thread, id] = [text(label('thread')?.str ?? 0), String(label('thread_id')?.num ?? 0)];
    const key = [`[${thread} tid=${id}]`, ...frames.reverse()].join(';');
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(sample.value[value]));
  }
  return Array.from(sums, ([key, sum]) => `${key} ${sum}`).sort();
}
