import {
  Function as PprofFunction,
  Label,
  Line,
  Location,
  Profile,
  Sample,
  StringTable,
  ValueType,
} from 'pprof-format';
import { expect, test } from 'vitest';
import { exportFlameSvg } from '../../../shared/export/flame-svg.ts';
import { collectText } from '../../../shared/export/text-sink.ts';
import { callTreeOf, writeTree } from '../../../shared/export/tree.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import { SAMPLES_ONLY } from '../../../shared/profile/profile-units.ts';
import { KEEP_ALL } from '../../../shared/engine/views/filter.ts';
import { JfrChunk } from '../../support/jfr-writer/jfr-chunk.ts';
import { readInput } from '../../support/read-input.ts';

/** The roots of the call tree: `thread samples`. */
function roots(profile: LeanProfile, threads: 'id' | 'name'): string[] {
  const text = collectText((sink) => writeTree({ profile, threads, frames: 'fqmn', filter: KEEP_ALL }, sink));
  return text
    .split('\n')
    .filter((line) => line.startsWith('0\t'))
    .map((line) => line.split('\t'))
    .map(([, key, , total]) => `${key} ${total}`);
}

/** Threads that the graph draws, by id. */
function drawn(profile: LeanProfile): number {
  const sums = callTreeOf(profile, { threads: 'id', frames: 'fqmn' });
  const svg = collectText((sink) =>
    exportFlameSvg(
      {
        sums,
        metric: 'samples',
        units: SAMPLES_ONLY,
        zoom: undefined,
        search: undefined,
        kept: undefined,
        theme: 'light',
        colourBy: 'package',
        orientation: 'flame',
        title: 'test',
        width: 1200,
      },
      sink,
    ),
  );
  return new Set(svg.match(/<title>[^<]*&#60;\d+&#62;/g)).size;
}

/** Samples of `A.run`, one for each thread; an empty name is none. */
function pprofOf(threads: readonly (readonly [name: string, id: number])[]): Uint8Array {
  const stringTable = new StringTable();
  const text = (value: string): number => stringTable.dedup(value);
  const label = (key: string, value: string): Label => new Label({ key: text(key), str: text(value) });
  return new Profile({
    sampleType: [new ValueType({ type: text('samples'), unit: text('count') })],
    sample: threads.map(
      ([name, id]) =>
        new Sample({
          locationId: [1],
          value: [1],
          label: [
            ...(name === '' ? [] : [label('thread', name)]),
            new Label({ key: text('thread_id'), num: id }),
          ],
        }),
    ),
    location: [new Location({ id: 1, line: [new Line({ functionId: 1, line: 1 })] })],
    function: [new PprofFunction({ id: 1, name: text('A.run') })],
    stringTable,
  }).encode();
}

function recordingOf(threads: readonly (readonly [name: string, id: number])[]): Uint8Array {
  const chunk = new JfrChunk(['jdk.ExecutionSample']);
  const stack = chunk.stack([{ method: chunk.method('A', 'run'), line: 1, bci: 1, type: 'Interpreted' }]);
  const runnable = chunk.state('STATE_RUNNABLE');
  for (const [name, id] of threads)
    chunk.event(
      'jdk.ExecutionSample',
      2_000 + id,
      chunk.thread(name === '' ? undefined : name, id),
      stack,
      runnable,
    );
  return chunk.finish();
}

test.each([
  ['pprof', pprofOf],
  ['jfr', recordingOf],
])('%s: threads of one name, and those without a name, are told apart by id', (_, write) => {
  const { profile } = readInput(
    write([
      ['web', 3],
      ['web', 4],
      ['', 5],
      ['', 6],
    ]),
  );
  expect(roots(profile, 'id')).toEqual(['Unknown <5> 1', 'Unknown <6> 1', 'web <3> 1', 'web <4> 1']);
  expect(roots(profile, 'name')).toEqual(['Unknown Thread(s) 2', 'web 2']);
  expect(drawn(profile)).toBe(4);
});
