import type { SplitMethod } from './grouping.ts';

/** `:42`, `:bci 17`, or `:?` for frames without either. */
const POSITION = /^:(?:\d+|bci \d+|\?)$/;

/**
 * The label of a line of a split method. A frame without a line has its BCI, if that is known: old logs have no lines.
 *
 *   by line   Shop.parse:42   Shop.parse:bci 17   Shop.parse:?
 *   by BCI    Shop.parse:bci 17                   Shop.parse:?
 */
export function lineLabel(method: string, line: number, bci: number, by: SplitMethod['by']): string {
  if (by === 'line' && line > 0) return `${method}:${line}`;
  return bci >= 0 ? `${method}:bci ${bci}` : `${method}:?`;
}

/** The split method of which a label is a line, or which it is itself; undefined for any other label. */
export function splitMethodOf(label: string, split: readonly SplitMethod[]): SplitMethod | undefined {
  return split.find(
    ({ key }) => label === key || (label.startsWith(key) && POSITION.test(label.slice(key.length))),
  );
}
