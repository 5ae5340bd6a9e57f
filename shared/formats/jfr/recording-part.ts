import type { Damage } from '../decoder.ts';

/** What the decoder of a part of a recording knows at the part's end: plain, for another thread. */
export interface RecordingPart {
  /** Offset of the part's first byte in the recording; a chunk begins there. */
  readonly start: number;
  readonly accepted: number;
  readonly skipped: number;
  /** The chunk that has begun. */
  readonly collected: Uint8Array<ArrayBuffer>;
  readonly records: number;
  /** Its record is counted from the part's first. */
  readonly damage: Damage | undefined;
  readonly facts: PartFacts;
  /** By their numbers in the part. */
  readonly methods: readonly MethodKey[];
}

/** What makes two methods the same, whatever chunk they come from. */
export interface MethodKey {
  readonly className: string;
  readonly methodName: string;
  readonly descriptor: string;
}

export interface PartFacts {
  /** Id of the sample type that was counted; undefined when there was nothing to count. */
  readonly sampleType: string | undefined;
  readonly firstTime: bigint | undefined;
  readonly lastTime: bigint | undefined;
  readonly cutStacks: number;
  readonly withoutStack: number;
  readonly withLostStack: number;
  readonly states: readonly string[];
  /** Ids of sample types. */
  readonly present: readonly string[];
  readonly events: readonly (readonly [name: string, count: number])[];
  readonly chunks: number;
  readonly isUnfinished: boolean;
  readonly misfits: number;
}
