import type { ProfileAggregator } from '../../aggregate/profile-aggregator.ts';
import type { Damage } from '../decoder.ts';
import type { HonestLogDecoder } from './decoder.ts';

/** What a decoder and its aggregator know of a log so far: the part of a status that is not about the file. */
export interface LogFacts {
  readonly damage: Damage | undefined;
  readonly acceptedBytes: number;
  readonly skippedBytes: number;
  readonly pendingBytes: number;
  readonly samples: number;
  readonly threads: number;
  readonly methods: number;
  readonly frames: number;
  readonly nodes: number;
  /** AsyncGetCallTrace code -> samples. */
  readonly errorSamples: Readonly<Record<string, number>>;
  /** Last minus first trace start, ns; undefined for logs without times. */
  readonly spanNs: number | undefined;
  readonly backwardSteps: number;
  readonly deepestStack: number;
}

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
