/**
 * Stands in for d3-format and d3-ease (see vite.config.ts), which d3-flame-graph imports for its search, its tooltips and
 * its transitions. The window has its own and calls none of them, so it need not load them either.
 */
export function format(): (value: number) => string {
  return String;
}

export function easeCubic(share: number): number {
  return share;
}
