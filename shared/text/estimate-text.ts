import { formatCount, formatShare } from './format-value.ts';

const COMMAND_LINE = 'The command line reads all of it: leanscope summary, leanscope export.';

/** A warning that a log has more call nodes than a window can show; undefined if it does not, or without an estimate. */
export function describeEstimate(expectedNodes: number | undefined, mostNodes: number): string | undefined {
  if (expectedNodes === undefined || expectedNodes <= mostNodes) return undefined;
  return `This log will have about ${inMillions(expectedNodes)} call nodes, and a window holds ${inMillions(mostNodes)}: reading stops there. ${COMMAND_LINE}`;
}

/** Why reading stopped: a window cannot show more call nodes. `share` of the file was read. */
export function describeFull(share: number, expectedNodes: number | undefined): string {
  const of = expectedNodes === undefined ? '' : `, of about ${inMillions(expectedNodes)} call nodes`;
  return `Only the first ${formatShare(share, 1, 0)} of this log are shown${of}: a window holds no more. ${COMMAND_LINE}`;
}

function inMillions(count: number): string {
  return count < 1e6 ? formatCount(count) : `${(count / 1e6).toFixed(0)} million`;
}
