import type { Choice, Chosen } from '../../shared/facts/choice.ts';
import type { Next } from '../../shared/input/read-source.ts';
import type { LogSource } from '../source/log-source.ts';
import { fleetName, fleetOf } from './fleet-address.ts';
import { FleetError } from './fleet-engine.ts';

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
  readonly #chosen: () => Chosen;
  readonly #interrupted = new AbortController();
  #isAsked = false;

  constructor(address: string, chosen: () => Chosen) {
    this.path = address;
    this.#chosen = chosen;
  }

  async next(): Promise<Next> {
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
      this.offset = bytes.length;
      return { bytes, offset: 0 };
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      this.failure = `${fleetName(path)}: ${error.message}.`;
      return 'refused';
    }
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
