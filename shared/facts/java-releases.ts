/** Execution samples are taken cooperatively, at the next safepoint, from this release on (JEP 518). */
export const COOPERATIVE = 25;
/** Headers of objects are compact from this release on, unless an option says otherwise (JEP 519, 534). */
export const COMPACT_HEADERS = 27;
