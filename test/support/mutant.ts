import { joined } from '../../shared/read/carry.ts';
import type { SeededRandom } from './seeded-random.ts';

/**
 * An input with one to four changes: of bits, bytes, numbers, and pieces that are filled, removed, repeated or moved.
 */
export function mutantOf(original: Uint8Array, random: SeededRandom): Uint8Array {
  let input = original.slice();
  for (let changes = 1 + random.below(4); changes > 0 && input.length > 0; changes--) {
    const at = random.below(input.length);
    const length = 1 + random.below(Math.min(40, input.length - at));
    switch (random.below(7)) {
      case 0:
        input[at] ^= 1 << random.below(8);
        break;
      case 1:
        input[at] = random.below(256);
        break;
      case 2:
        // Replaces four bytes by a hostile number.
        new DataView(input.buffer).setInt32(
          Math.min(at, Math.max(0, input.length - 4)),
          random.pick([0x7fffffff, -0x80000000, -1, 0, 0x40000000]),
        );
        break;
      case 3:
        input.fill(random.pick([0, 0xff, 0x30, 0x20]), at, at + length);
        break;
      case 4:
        input = joined(input.subarray(0, at), input.subarray(at + length));
        break;
      case 5:
        input = joined(input.subarray(0, at + length), input.subarray(at));
        break;
      default: {
        const from = random.below(original.length);
        input.set(
          original.subarray(from, from + Math.min(length, original.length - from, input.length - at)),
          at,
        );
      }
    }
    if (input.length < 4) return original.slice(0, input.length);
  }
  return input;
}
