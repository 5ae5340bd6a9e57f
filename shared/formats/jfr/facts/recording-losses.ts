import { type FormatLoss, lossOf, noteOf, WITHOUT_CALLERS } from '../../../facts/losses.ts';
import { formatBytes, formatQuantity } from '../../../text/format-value.ts';
import { EMPTY_STACK_NAME } from '../../../text/pseudo-frames.ts';
import type { Chunk } from '../events/chunk.ts';
import type { SampleType } from '../events/sample-types.ts';

/** Counts the parts of a recording that are missing or not counted, and tells them as sentences. */
export class RecordingLosses {
  truncatedStacks = 0;
  /** Samples not counted because they have no stack trace. */
  withoutStack = 0;
  /** Samples whose stack trace has no frames. */
  withoutFrames = 0;
  /** Samples not counted because their stack trace is not in the file. */
  withLostStack = 0;
  /** The input has ended, and its last chunk is one that the JVM is writing. */
  isOpen = false;
  /** The end of the last chunk is missing. */
  isUnfinished = false;
  /** Samples of the type that is counted; see `Chunk`. */
  biased = 0;
  #failed = 0;
  #misfits = 0;
  /** Event type about what was lost -> the sum of its amounts. */
  readonly #lost = new Map<string, number>();

  /** Adds what was read from a chunk. */
  addChunk({ misfits, failed, biased }: Pick<Chunk, 'misfits' | 'failed' | 'biased'>): void {
    this.#misfits += misfits;
    this.#failed += failed;
    this.biased += biased;
  }

  noteLost(event: string, amount: number): void {
    this.#lost.set(event, (this.#lost.get(event) ?? 0) + amount);
  }

  /** Sentences about what was skipped. */
  skips(): readonly string[] {
    const { isUnfinished, isOpen } = this;
    return [
      ...(isUnfinished ? ['The recording was not finished: the end of its last chunk is missing.'] : []),
      ...(isOpen
        ? ['The recording was not finished: what the JVM writes after its latest flush is missing.']
        : []),
      ...noteOf([this.#misfits, 'event'], 'with fields that do not match the metadata: skipped.'),
    ];
  }

  /** Events whose fields could not be read. */
  ofFields(): readonly FormatLoss[] {
    const why = 'Their fields do not match the metadata of the file.';
    return lossOf('uncounted', [this.#misfits, 'event'], why);
  }

  /** The losses among the samples of a type. `groupsTruncated`: truncated stacks are together. */
  ofSamples(groupsTruncated: boolean, sampleType: SampleType | undefined): readonly FormatLoss[] {
    return [
      ...lossOf(
        'truncated',
        [this.truncatedStacks, 'stack'],
        `They are deeper than the stack depth of the recording. ${WITHOUT_CALLERS}`,
        `Record with a larger depth: -XX:FlightRecorderOptions:stackdepth=512.${groupsTruncated ? '' : ' The option "Group truncated stacks" puts them together.'}`,
      ),
      ...lossOf('failed', [this.withoutFrames, 'sample'], `They are counted as ${EMPTY_STACK_NAME}.`),
      ...lossOf(
        'uncounted',
        [this.withoutStack, 'sample'],
        `They have no stack trace.${this.#failed === 0 ? '' : ` Of ${formatQuantity(this.#failed, 'sample')} the JVM has failed to walk the stack: the time was spent, but it is not known in which method.`}`,
      ),
      ...lossOf(
        'uncounted',
        [this.withLostStack, 'sample'],
        'Their stack traces are not in the file.',
        'Copy the whole recording: a part of it is missing.',
      ),
      ...lossOf(
        'uncounted',
        [this.#lostSamples(sampleType), 'sample'],
        'The JVM has lost them: they came faster than it could write them.',
        'Sample less often: a longer throttle of jdk.CPUTimeSample.',
      ),
      ...this.#lostData(),
    ];
  }

  /** CPU time samples that the JVM says it has lost, if they are counted. */
  #lostSamples(sampleType: SampleType | undefined): number {
    return sampleType?.events.has('jdk.CPUTimeSample') === true
      ? (this.#lost.get('jdk.CPUTimeSamplesLost') ?? 0)
      : 0;
  }

  /** Events of any type that did not get into the file. */
  #lostData(): readonly FormatLoss[] {
    const bytes = this.#lost.get('jdk.DataLoss') ?? 0;
    if (bytes === 0) return [];
    return [
      {
        kind: 'uncounted',
        amount: `${formatBytes(bytes)} of events`,
        why: 'The JVM has lost them: they came faster than it could write them. Samples may be among them.',
        advice:
          'Record fewer events, or give the recording more memory: -XX:FlightRecorderOptions:memorysize=64m.',
      },
    ];
  }
}
