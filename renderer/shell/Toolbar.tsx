import type { ReactNode, Ref } from 'react';
import { capitalised } from '../../shared/text/capitalised.ts';
import { formatCount, formatQuantity, formatShare } from '../../shared/text/format-value.ts';
import {
  chooseMetric,
  choosePanes,
  find,
  groupThreads,
  hideErrors,
  prefer,
  search,
} from '../store/actions.ts';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import type { Metric } from '../../shared/views/grouping.ts';
import type { PaneChoice } from '../store/preferences.ts';
import { currentPane, shownMetric, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { SearchField } from '../widgets/SearchField.tsx';
import { type SegmentedChoice, SegmentedControl } from '../widgets/SegmentedControl.tsx';
import { Select } from '../widgets/Select.tsx';
import { enterPane } from '../panes/enter-pane.ts';

const PANE_CHOICES = [
  { value: 'tree', text: 'Tree', hint: 'Call tree (1)' },
  { value: 'flat', text: 'Flat', hint: 'Flat list (2)' },
  { value: 'flame', text: 'Flame', hint: 'Flame graph (3)' },
  { value: 'all', text: 'All', hint: 'All three (4)' },
] as const;

const FRAME_CHOICES = [
  { value: 'fqmn', text: 'Method' },
  { value: 'line', text: 'Method + line' },
  { value: 'bci', text: 'Method + BCI' },
  { value: 'method-id', text: 'Method id' },
] as const;

const THREAD_CHOICES = [
  { value: 'name', text: 'By name' },
  { value: 'id', text: 'By id' },
  { value: 'all', text: 'All threads' },
] as const;

/** Formats with samples that stand for errors; and what may turn out to be one. */
const FORMATS_WITH_ERRORS: readonly (string | undefined)[] = [undefined, 'honest-log'];

function metricChoices({ counted, value }: ProfileUnits): readonly SegmentedChoice<Metric>[] {
  const counts = {
    value: 'samples' as const,
    text: capitalised(counted.many),
    hint: `Shares, widths and order by number of ${counted.many}`,
  };
  if (value === undefined) return [counts];
  const hint = `Shares, widths and order by ${value.meaning ?? value.name.toLowerCase()}`;
  return [counts, { value: 'time', text: value.name, hint }];
}

/** How the log is looked at. */
export function Toolbar({
  log,
  searchRef,
}: {
  readonly log: LogView;
  readonly searchRef: Ref<HTMLInputElement>;
}): ReactNode {
  const preferences = useWindow((state) => state.preferences);
  const focused = useWindow((state) => state.focusedPane);
  const hides = useWindow((state) => state.hideErrors);
  const pane = currentPane(preferences.panes, focused);
  const isFlame = pane === 'flame';
  const hasErrors = FORMATS_WITH_ERRORS.includes(log.status?.format);
  return (
    <div className="toolbar" role="toolbar" aria-label="View">
      <SegmentedControl<PaneChoice>
        label="Panes"
        choices={PANE_CHOICES}
        value={preferences.panes}
        onChange={choosePanes}
        testId="panes"
      />
      <Select
        label="Frames"
        choices={FRAME_CHOICES}
        value={preferences.frames}
        onChange={(frames) => prefer({ frames })}
        testId="frame-grouping"
      />
      <Select
        label={preferences.panes === 'all' ? (isFlame ? 'Threads of flame' : 'Threads of tree') : 'Threads'}
        choices={THREAD_CHOICES}
        value={isFlame ? preferences.flameThreads : preferences.treeThreads}
        onChange={groupThreads}
        disabled={preferences.panes === 'flat'}
        hint={
          preferences.panes === 'flat'
            ? 'The flat list counts the samples of all threads'
            : 'Threads of the pane that was used last'
        }
        testId="thread-grouping"
      />
      <SegmentedControl
        label="Metric"
        choices={metricChoices(unitsOf(log))}
        value={shownMetric(log, preferences.metric)}
        onChange={chooseMetric}
        testId="metric"
      />
      {hasErrors && (
        <label className="check" data-tip="Leave out samples whose stack could not be walked">
          <input
            type="checkbox"
            checked={hides}
            data-testid="hide-errors"
            onChange={(event) => hideErrors(event.target.checked)}
          />
          <span>Hide errors</span>
        </label>
      )}
      <SearchField
        key={log.key}
        label="Search method names"
        placeholder="Search methods, /regex/"
        value={log.searchText}
        onSearch={search}
        onFind={find}
        onLeave={() => enterPane(pane)}
        result={searchResult(log)}
        problem={log.search?.text === log.searchText ? log.search.problem : undefined}
        inputRef={searchRef}
      />
    </div>
  );
}

function searchResult(log: LogView): string {
  const { search: result, summary, searchText } = log;
  if (result?.text !== searchText || result.problem !== undefined) return '';
  if (result.names === 0) return 'no match';
  const names = formatQuantity(result.names, 'name');
  if (summary === undefined || summary.samples === 0) return formatCount(result.names);
  return `${names} · ${formatShare(result.samples, summary.samples, 1)} of ${unitsOf(log).counted.many}`;
}
