import type { Damage } from '../facts/damage.ts';
import { InvalidElement, jsonDamage, parseJson } from './json.ts';
import { type DecodedInput, WholeInputDecoder } from './whole-input.ts';

/** For formats in JSON. A file whose long lists are damaged is read up to there. */
export abstract class JsonDecoder extends WholeInputDecoder {
  /** Decodes the value of the file. Returns the damage if it does not have the structure of the format. */
  protected abstract decodeValue(value: unknown): Damage | undefined;

  protected override decodeInput(input: Uint8Array): DecodedInput {
    const parsed = parseJson(input, this.sink.memory);
    if (!('value' in parsed)) return { accepted: 0, damage: parsed.damage };
    try {
      const damage = this.decodeValue(parsed.value);
      return { accepted: damage === undefined ? input.length : 0, damage };
    } catch (error) {
      if (!(error instanceof InvalidElement)) throw error;
      const damage = jsonDamage(input, this.records);
      return { accepted: damage.byteOffset, damage };
    } finally {
      this.sink.memory.release(parsed.heldBytes);
    }
  }
}
