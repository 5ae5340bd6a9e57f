import type { Choice, Chosen } from '../../shared/facts/choice.ts';
import type { LogSource } from '../source/log-source.ts';
import type { PollResult, TailSink } from '../source/log-tailer.ts';
import type { FileState } from '../source/tail-files.ts';
import { fleetName, fleetOf } from './fleet-address.ts';
import { FleetError } from './fleet-engine.ts';

/** The file that an answer would be. */
const ANSWER: FileState = { dev: 0n, ino: 0n, size: 0, modifiedNs: 0n, changedNs: 0n, refusal: undefined };

/**
 * A question to a dataset or a database as the content of a log: the answer, which is asked for when it is read, and again
 * when it is read with other choices.
 */
export class FleetLog implements LogSource {
  readonly path: string;
  readonly error = undefined;
  readonly formatName = 'dataset';
  offset = 0;
  size = 0;
  choices: readonly Choice[] = [];
  failure: string | undefined;
  readonly #sink: TailSink;
  readonly #chosen: () => Chosen;
  readonly #interrupted = new AbortController();
  #isAsked = false;
  #isBegun = false;

  constructor(address: string, sink: TailSink, chosen: () => Chosen) {
    this.path = address;
    this.#sink = sink;
    this.#chosen = chosen;
  }

  async poll(): Promise<PollResult> {
    if (this.#isAsked) return this.failure === undefined ? 'atEnd' : 'refused';
    this.#isAsked = true;
    const { path, options } = fleetOf(this.path);
    try {
      const { fleetBytes } = await import('./fleet-source.ts');
      const { bytes, choices } = await fleetBytes(path, options, this.#chosen(), true, {
        stop: this.#interrupted.signal,
      });
      this.choices = choices;
      this.size = bytes.length;
      if (!this.#isBegun) this.#sink.begin('opened', ANSWER);
      this.#isBegun = true;
      await this.#sink.bytes(bytes, 0);
      this.offset = bytes.length;
      return 'more';
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      this.failure = `${fleetName(path)}: ${error.message}.`;
      return 'refused';
    }
  }

  peek(): Uint8Array {
    return new Uint8Array(0);
  }

  reread(): void {
    this.#isAsked = false;
    this.failure = undefined;
    this.offset = 0;
    this.size = 0;
  }

  end(): void {
    // It is no recording.
  }

  save(): number {
    throw new Error('an answer of a database is no recording');
  }

  interrupt(): void {
    this.#interrupted.abort();
  }

  close(): void {
    // Each question closes its connection.
  }
}
