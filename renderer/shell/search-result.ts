import { formatCount, formatQuantity, formatShare } from '../../shared/text/format-value.ts';
import { shareCertainty } from '../../shared/views/precision.ts';
import { shownSummary, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';

/** What stands in the search field: which match is selected, or how much was found, and how exactly that is known. */
export function searchResult(log: LogView): { readonly text: string; readonly hint?: string } {
  const { search: result, summary, searchText } = log;
  if (result?.text !== searchText || result.problem !== undefined) return { text: '' };
  if (result.names === 0) return { text: 'no match' };
  if (log.match !== undefined) {
    return { text: `${formatCount(log.match.position)} of ${formatCount(log.match.total)}` };
  }
  const names = formatQuantity(result.names, 'name');
  if (summary === undefined) return { text: names };
  const { samples } = shownSummary(summary);
  const units = unitsOf(log);
  const share = formatShare(result.samples, samples, 1);
  const certainty = shareCertainty(result.samples, samples, units);
  const found = `${names}, in ${share} of ${units.counted.many}`;
  return {
    text: `${names} · ${share}`,
    hint: certainty === undefined ? found : `${found}: ${certainty.text}`,
  };
}
