import type { FormatParts } from '../../shared/formats/format-parts.ts';
import type { FormatId } from '../../shared/formats/profile-format.ts';

/**
 * The formats that are read in parts, each loaded alone: a thread that first loaded every decoder would begin when half
 * of its part could have been read.
 */
const PARTED: Readonly<Partial<Record<FormatId, () => Promise<FormatParts | undefined>>>> = {
  'honest-log': async () => (await import('../../shared/formats/honest-log/format.ts')).HONEST_LOG.parts,
};

export async function partsOf(format: FormatId): Promise<FormatParts | undefined> {
  return PARTED[format]?.();
}
