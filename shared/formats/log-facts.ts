import type { Damage } from './decoder.ts';

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
