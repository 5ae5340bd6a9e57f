/**
 * Replaces d3-format and d3-ease (see vite.config.ts), which d3-flame-graph imports for its search, tooltips and
 * transitions. The window calls none of these.
 */
export function format(): (value: number) => string {
  return String;
}

export function easeCubic(share: number): number {
  return share;
}
