import type { TimeColumn } from '../../profile/time-column.ts';
import type { Damage } from '../../facts/damage.ts';

/** State of a decoder at the end of a byte range, structured-cloneable. */
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
  /** All samples of the part; undefined where these are in its profile. */
  readonly kept: KeptPart | undefined;
}

/** Samples by thread and stack; see `KeptSamples`. Columns are longer than they are used. */
export interface KeptPart {
  readonly length: number;
  /** -> row of the part's threads. */
  readonly thread: Int32Array<ArrayBuffer>;
  /** -> row of the stacks. */
  readonly stack: Int32Array<ArrayBuffer>;
  readonly count: Float64Array<ArrayBuffer>;
  readonly value: Pick<TimeColumn, 'ns' | 'bigints'>;
  readonly stacks: KeptStacks;
}

/** Stacks of frames of FRAME_CELLS cells, leaf first, their methods by number; see `StackNumbers`. */
export interface KeptStacks {
  readonly length: number;
  readonly cells: Int32Array<ArrayBuffer>;
  /** Where each begins; one more than there are. */
  readonly starts: Int32Array<ArrayBuffer>;
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
  readonly truncatedStacks: number;
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
