import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import { TraceReader } from './trace-reader.ts';
import { XmlEvents } from './xml-events.ts';

/** Makes calls of the events of a trace in XML. */
export class XmlTraceDecoder implements ProfileDecoder {
  readonly #trace: TraceReader;
  readonly #events: XmlEvents;

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#trace = new TraceReader(sink, chosen);
    this.#events = new XmlEvents(this.#trace);
  }

  append(bytes: Uint8Array): void {
    this.#events.append(bytes);
    this.#trace.emit();
  }

  emitOpen(ended: boolean): void {
    if (ended) this.#trace.end();
    else this.#trace.pause();
  }

  get bytes(): ByteAccount {
    return this.#events.bytes;
  }

  get damage(): Damage | undefined {
    return this.#events.damage;
  }

  get records(): number {
    return this.#events.records;
  }

  facts(): FormatFacts {
    const { notes, encoding, unknown, skips } = this.#events;
    return { ...this.#trace.facts(notes, [['XML form', encoding]], unknown), skips };
  }
}
