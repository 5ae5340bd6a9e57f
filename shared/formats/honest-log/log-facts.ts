import type { ProfileAggregator } from '../../aggregate/profile-aggregator.ts';
import type { LogFacts } from '../log-facts.ts';
import type { HonestLogDecoder } from './decoder.ts';

/** Methods are counted with the eleven that stand for errors. */
export function logFacts(decoder: HonestLogDecoder, aggregator: ProfileAggregator): LogFacts {
  const { bytes, counts, clock } = decoder;
  const { threads, methods, frames, nodes } = aggregator.profile;
  return {
    damage: decoder.damage,
    acceptedBytes: bytes.accepted,
    skippedBytes: bytes.skipped,
    pendingBytes: bytes.pending,
    samples: aggregator.sampleCount,
    threads: threads.length,
    methods: methods.length,
    frames: frames.length,
    nodes: nodes.length,
    errorSamples: Object.fromEntries(counts.errorTraces),
    spanNs:
      clock.firstTime === undefined || clock.lastTime === undefined
        ? undefined
        : Number(clock.lastTime - clock.firstTime),
    backwardSteps: clock.backwardSteps,
    deepestStack: aggregator.deepestStack,
  };
}
