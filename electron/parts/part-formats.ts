import { HONEST_LOG } from '../../shared/formats/honest-log/format.ts';
import { JFR } from '../../shared/formats/jfr/format.ts';
import type { ProfileFormat } from '../../shared/formats/profile-format.ts';

/**
 * The formats that are read in parts, and no others: a thread that loaded every decoder would begin when half of its part
 * could have been read.
 */
export const PART_FORMATS: readonly ProfileFormat[] = [JFR, HONEST_LOG];
