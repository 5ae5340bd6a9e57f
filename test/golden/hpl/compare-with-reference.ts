import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { exportCollapsed } from '../../../shared/export/collapsed.ts';
import { writeFlat } from '../../../shared/export/flat.ts';
import { writeLean } from '../../../shared/export/lean.ts';
import { collectText, type TextSink } from '../../../shared/export/text-sink.ts';
import { writeTree } from '../../../shared/export/tree.ts';
import { detectFormat } from '../../../shared/input/detect-format.ts';
import { checkProfile } from '../../support/check-profile.ts';
import { NONE } from '../../../shared/profile/columns.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import { KEEP_ALL, type RowFilter } from '../../../shared/engine/views/filter.ts';
import type { Condition } from '../../../shared/engine/views/row-conditions.ts';
import type { FrameGrouping, ThreadGrouping } from '../../../shared/engine/trees/grouping.ts';
import { readLog } from '../../support/read-log.ts';
import { asReferenceTree } from '../../support/reference-text.ts';
import {
  type Block,
  blockOf,
  type FilterCase,
  type FilteredReference,
  type LogReference,
} from './reference.ts';

function where(...conditions: readonly Condition[]): RowFilter {
  return { ...KEEP_ALL, where: [conditions] };
}

const FILTERS: Readonly<Record<FilterCase, RowFilter>> = {
  none: KEEP_ALL,
  hideErrors: { hideErrors: true, contains: [] },
  'quick-java.util': { hideErrors: false, contains: ['java.util'] },
  'quick-JAVA': { hideErrors: false, contains: ['JAVA'] },
  selfCntGe5: where({ of: 'selfCount', comparison: '>=', value: 5 }),
  selfCntEq1: where({ of: 'selfCount', comparison: '=', value: 1 }),
  totalCntPctGt10: where({ of: 'totalShare', comparison: '>', value: 10 }),
  selfTimeLt0: where({ of: 'selfTime', comparison: '<', value: 0 }),
  totalTimeGt50ms: where({ of: 'totalTime', comparison: '>', value: 50e6 }),
  startsJava: where({ of: 'key', comparison: 'starts', text: 'java.' }),
  endsRun: where({ of: 'key', comparison: 'ends', text: '.run' }),
  matches: where({ of: 'key', comparison: 'matches', text: '.*\\.(main|run|get\\w*).*' }),
  equals: where({ of: 'key', comparison: 'equals', text: 'java.lang.Thread.run' }),
  combo: {
    hideErrors: true,
    contains: ['a'],
    where: [
      [
        { of: 'selfTimeShare', comparison: '>', value: 1 },
        { of: 'totalCount', comparison: '<=', value: 50 },
      ],
    ],
  },
};

/** Holds what is read of a log against what the reference computed; each part is one check. */
export function compareWithReference(
  bytes: Uint8Array,
  reference: LogReference,
  check: (title: string, run: () => void) => void,
): void {
  const { profile, decoder, aggregator } = readLog(bytes);

  check('the format is recognised by its bytes', () => {
    expect(detectFormat(bytes.subarray(0, 512), false)?.format).toBe('honest-log');
  });

  check('records, threads and nodes', () => {
    const { counts, clock } = decoder;
    const sum = (...types: string[]): number =>
      types.reduce((total, type) => total + (reference.records[type] ?? 0), 0);
    expect(decoder.damage).toBeUndefined();
    expect(decoder.bytes).toEqual({
      accepted: reference.consumedBytes,
      skipped: 0,
      pending: reference.bytes - reference.consumedBytes,
    });
    expect(counts.traceStarts).toBe(sum('1', '11'));
    expect(counts.timedTraceStarts).toBe(sum('11'));
    expect(counts.frameRecords).toBe(sum('2', '21'));
    expect(counts.bciOnlyFrames).toBe(sum('2'));
    expect(counts.methodRecords).toBe(sum('3', '31'));
    expect(counts.signedMethods).toBe(sum('31'));
    expect(counts.threadRecords).toBe(sum('4'));
    expect([...counts.errorTraces.values()].reduce((total, count) => total + count, 0)).toBe(
      reference.pseudoFrames,
    );
    expect(clock.backwardSteps).toBe(reference.backwardSteps);
    expect(aggregator.sampleCount).toBe(reference.samples);
    expect(knownThreads(profile)).toBe(reference.threads);
    expect(frameNodes(profile)).toBe(reference.nodes);
    expect(checkProfile(profile)).toEqual([]);
  });

  check('lean, to the last nanosecond', () => {
    expect(blockWritten((sink) => writeLean({ profile }, sink))).toEqual(reference.lean);
  });

  for (const [frames, expected] of Object.entries(reference.flat))
    check(`flat by ${frames}`, () => {
      expect(flatBlock(profile, frames as FrameGrouping, KEEP_ALL)).toEqual(expected);
    });

  for (const [name, expected] of Object.entries(reference.tree))
    check(`tree by ${name}`, () => {
      expect(treeBlock(profile, name, KEEP_ALL)).toEqual(expected);
    });

  for (const [name, expected] of Object.entries<FilteredReference>(reference.filters))
    check(`filter ${name}`, () => {
      const filter = FILTERS[name as FilterCase];
      for (const [frames, flat] of Object.entries(expected.flat))
        expect(flatBlock(profile, frames as FrameGrouping, filter), frames).toEqual(flat);
      for (const [grouping, tree] of Object.entries(expected.tree))
        expect(treeBlock(profile, grouping, filter), grouping).toEqual(tree);
    });

  if (reference.collapsed === undefined) {
    console.log('no test of collapsed stacks: of this log the reference gives only a hash of its unmerged lines');
    return;
  }
  check('collapsed stacks, merged', () => {
    const grouping = { threads: 'all', frames: 'fqmn' } as const;
    const written = blockWritten((sink) => {
      exportCollapsed({ profile, ...grouping, metric: 'samples', filter: KEEP_ALL }, sink);
    });
    expect(written).toEqual(reference.collapsed);
  });
}

function flatBlock(profile: LeanProfile, frames: FrameGrouping, filter: RowFilter): Block {
  return blockWritten((sink) => writeFlat({ profile, frames, recursion: 'per-level', filter }, sink));
}

function treeBlock(profile: LeanProfile, name: string, filter: RowFilter): Block {
  const [threads, frames] = name.split('/') as [ThreadGrouping, FrameGrouping];
  const write = (sink: TextSink): void => writeTree({ profile, threads, frames, filter }, sink);
  // Only names beyond printable ASCII are other strings in the reference.
  const isAscii = profile.threads.name.every((each) => !/[^ -~]/.test(each ?? ''));
  return isAscii ? blockWritten(write) : blockOf(asReferenceTree(collectText(write)));
}

/** Hashes while it is written: the larger texts have 57 MB. */
function blockWritten(write: (sink: TextSink) => void): Block {
  const hash = createHash('sha256');
  let lines = 0;
  write((text) => {
    hash.update(text);
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  });
  return { lines, sha256: hash.digest('hex') };
}

/** The reference knows a thread by its name record. */
function knownThreads({ threads }: LeanProfile): number {
  return threads.name.filter((name) => name !== undefined).length;
}

function frameNodes({ nodes }: LeanProfile): number {
  let frames = 0;
  for (let node = 0; node < nodes.length; node++) if (nodes.parent[node] !== NONE) frames++;
  return frames;
}
