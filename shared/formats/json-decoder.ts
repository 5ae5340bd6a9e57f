import type { Damage } from '../facts/damage.ts';
import { InvalidElement, parseJson } from './json.ts';
import { WholeInputDecoder } from './whole-input.ts';

/** For formats in JSON. A file whose long lists are damaged is read up to there. */
export abstract class JsonDecoder extends WholeInputDecoder {
  /** Decodes the value of the file. Returns the damage if it does not have the structure of the format. */
  protected abstract decodeValue(value: unknown): Damage | undefined;

  protected override decodeInput(input: Uint8Array): { readonly accepted: number; readonly damage?: Damage } {
    const parsed = parseJson(input, this.sink);
    if (!('value' in parsed))
      return parsed.damage === undefined ? { accepted: 0 } : { accepted: 0, damage: parsed.damage };
    try {
      const damage = this.decodeValue(parsed.value);
      return damage === undefined ? { accepted: input.length } : { accepted: 0, damage };
    } catch (error) {
      if (!(error instanceof InvalidElement)) throw error;
      return { accepted: error.damage.byteOffset, damage: { ...error.damage, record: this.records } };
    } finally {
      this.sink.releases?.(parsed.heldBytes);
    }
  }
}
