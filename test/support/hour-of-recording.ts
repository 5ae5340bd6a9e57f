import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { JfrDecoder } from '../../shared/formats/jfr/format.ts';
import { JfrChunk } from './jfr-writer/jfr-chunk.ts';
import { flushesOf, smallFilm } from './recording-film.ts';

/** A flush a second. */
export const FLUSHES_OF_AN_HOUR = 3_600;
/** Tables that grow by half as much again, and compiled code, have their size by then. */
const FIRST_FLUSHES = 600;
const THREADS = 4;
const STACKS = 50;
const DEPTH = 30;
const SAMPLES = 400;

export interface GrownMemory {
  /** Call nodes after the first ten minutes, and at the end. */
  readonly nodes: readonly [number, number];
  /** Samples between the two. */
  readonly samples: number;
  /** What the decoder and the aggregator hold then, less what they held before. */
  readonly bytes: number;
}

/**
 * Reads the same flushes again and again, an hour of them unless `last` says otherwise, in the pieces in which they come
 * from a running JVM: the header as it was at each flush, then the bytes since the flush before, with a new chunk after
 * every third. `keepsTimes`: with the time of each sample.
 */
export function grownMemory(keepsTimes: boolean, last = FLUSHES_OF_AN_HOUR): GrownMemory {
  const flushes = flushesOf(smallFilm(chunkOfSamples()));
  const aggregator = new ProfileAggregator({ samples: keepsTimes });
  const decoder = new JfrDecoder(aggregator, {});
  const read = (from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      const { header, bytes } = flushes[at % flushes.length];
      decoder.append(header);
      decoder.append(bytes);
      decoder.emitOpen(false);
    }
  };
  const { nodes } = aggregator.profile;
  read(0, FIRST_FLUSHES);
  const before = { nodes: nodes.length, samples: aggregator.sampleCount, bytes: heldBytes() };
  read(FIRST_FLUSHES, last);
  const bytes = heldBytes() - before.bytes;
  return { nodes: [before.nodes, nodes.length], samples: aggregator.sampleCount - before.samples, bytes };
}

function chunkOfSamples(): Uint8Array {
  const chunk = new JfrChunk(['jdk.ExecutionSample']);
  const threads = Array.from({ length: THREADS }, (_, at) => chunk.thread(`worker-${at}`, 10 + at));
  const runnable = chunk.state('STATE_RUNNABLE');
  const stacks = Array.from({ length: STACKS }, (_, stack) =>
    chunk.stack(
      Array.from({ length: DEPTH }, (_, depth) => ({
        method: chunk.method('com/example/Shop', `method${depth < 3 ? stack : depth}`),
        line: depth,
        bci: 0,
        type: 'Interpreted' as const,
      })),
    ),
  );
  for (let sample = 0; sample < SAMPLES; sample++)
    chunk.event(
      'jdk.ExecutionSample',
      1_000 * sample,
      threads[sample % THREADS],
      stacks[sample % STACKS],
      runnable,
    );
  return chunk.finish();
}

/** What is in use of the heap, and of memory outside of it. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Memory outside of the heap is given back by a collection after the one that finds it.
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
