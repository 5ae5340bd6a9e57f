import type { ProfileAggregator } from '../aggregate/profile-aggregator.ts';
import type { ProfilePart } from '../aggregate/profile-part.ts';
import { joined } from '../bytes/joined.ts';
import type { Chosen } from './choice.ts';
import type { ByteAccount, Damage, ProfileDecoder } from './decoder.ts';
import { DETECTION_BYTES, detectFormat, type Stranger } from './detect-format.ts';
import { type FormatFacts, NO_FACTS } from './format-facts.ts';
import { formatOf } from './formats.ts';
import type { LogFacts } from './log-facts.ts';
import type { ProfileFormat } from './profile-format.ts';

/**
 * Unpacked bytes of whatever format in, a profile out: looks at the first bytes until they tell which decoder to use,
 * and hands everything to it; whoever reads has had it loaded (`loadDecoders`). Keeps a decoder's laws: any chunking,
 * every byte accounted for, no throwing.
 */
export class ProfileReader {
  readonly aggregator: ProfileAggregator;
  /** Set as soon as the format is known. */
  format: ProfileFormat | undefined;
  decoder: ProfileDecoder | undefined;
  /** Set when the input has no known format; its bytes are not looked at any further. */
  stranger: Stranger | undefined;

  readonly #chosen: Chosen;
  /** The first bytes, while they do not tell enough. */
  #head = new Uint8Array(0);
  #strangeBytes = 0;

  constructor(aggregator: ProfileAggregator, chosen: Chosen) {
    this.aggregator = aggregator;
    this.#chosen = chosen;
  }

  /** The next bytes, borrowed for the call. */
  append(bytes: Uint8Array): void {
    if (this.decoder !== undefined) {
      this.decoder.append(bytes);
    } else if (this.stranger !== undefined) {
      this.#strangeBytes += bytes.length;
    } else {
      this.#head = joined(this.#head, bytes);
      this.#recognise(false);
    }
  }

  /** See `ProfileDecoder.takeOver`. */
  takeOver(state: unknown, part: ProfilePart): boolean {
    return this.decoder?.takeOver?.(state, part, this.aggregator) ?? false;
  }

  /** See `ProfileDecoder.settle`; an input that ends before it could be told is told by what it has. */
  settle(ended: boolean): void {
    if (ended && this.decoder === undefined && this.stranger === undefined) this.#recognise(true);
    this.decoder?.settle(ended);
  }

  get bytes(): ByteAccount {
    return this.decoder?.bytes ?? { accepted: 0, skipped: this.#strangeBytes, pending: this.#head.length };
  }

  get damage(): Damage | undefined {
    return this.decoder?.damage;
  }

  get records(): number {
    return this.decoder?.records ?? 0;
  }

  facts(): FormatFacts {
    return this.decoder?.facts() ?? NO_FACTS;
  }

  /** Methods are counted with the eleven that stand for errors in a log. */
  logFacts(): LogFacts {
    const { bytes, damage } = this;
    const { units, choices, notes, tables, errorSamples, backwardSteps, firstTime, lastTime } = this.facts();
    const { sampleCount, deepestStack } = this.aggregator;
    const { threads, methods, frames, nodes } = this.aggregator.profile;
    return {
      format: this.format?.id,
      formatName: this.format?.name ?? '',
      cannotTell: this.format?.cannotTell ?? [],
      units,
      choices,
      notes,
      tables,
      damage,
      acceptedBytes: bytes.accepted,
      skippedBytes: bytes.skipped,
      pendingBytes: bytes.pending,
      samples: sampleCount,
      threads: threads.length,
      methods: methods.length,
      frames: frames.length,
      nodes: nodes.length,
      errorSamples,
      spanNs: firstTime === undefined || lastTime === undefined ? undefined : Number(lastTime - firstTime),
      backwardSteps,
      deepestStack,
    };
  }

  #recognise(ended: boolean): void {
    const head = this.#head;
    const detected = detectFormat(head.subarray(0, DETECTION_BYTES), ended);
    if (detected === undefined) return;
    this.#head = new Uint8Array(0);
    if (detected.format === undefined) {
      this.stranger = detected;
      this.#strangeBytes = head.length;
      return;
    }
    this.format = formatOf(detected.format);
    this.decoder = this.format.createDecoder(this.aggregator, this.#chosen);
    this.decoder.append(head);
  }
}
