/** See layout-faults.mjs. Runs in a page. */
export function layoutFaults(): string[];
