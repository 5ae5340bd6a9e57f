import type { FindingCheck } from './check.ts';
import { COUNTED_CHECKS } from './counted-checks.ts';
import { MEASURED_CHECKS } from './measured-checks.ts';
import { FRAME_CHECKS } from './frame-checks.ts';

/** All checks. The command, its JSON, and its help know them only from this list. */
export const CHECKS: readonly FindingCheck[] = [...COUNTED_CHECKS, ...FRAME_CHECKS, ...MEASURED_CHECKS].sort(
  (a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)),
);

export const CHECK_IDS: readonly string[] = CHECKS.map(({ id }) => id);
