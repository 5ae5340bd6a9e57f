/** The memory budget of a sink that allows everything. */
export const NO_LIMIT = { keeps: () => true, holds: () => true, releases: () => undefined } as const;
