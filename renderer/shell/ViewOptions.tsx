import { type ReactNode, useId, useState } from 'react';
import type { ColourBy } from '../../shared/text/frame-colour.ts';
import { chooseMetric, choosePanes, openDialog, prefer } from '../store/actions.ts';
import { hideErrors } from '../store/scope-actions.ts';
import type { ThemeChoice } from '../../shared/protocol/desktop-bridge.ts';
import type { PaneChoice, Preferences, SharesOf } from '../store/preferences.ts';
import { hasSamples, shownColourBy, shownMetric, shownThreads, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { type SegmentedChoice, SegmentedControl } from '../widgets/SegmentedControl.tsx';
import { Select } from '../widgets/Select.tsx';
import { errorShare } from './LogStats.tsx';
import { Icon } from '../widgets/icons.tsx';
import { Popover } from '../widgets/Popover.tsx';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import { capitalised } from '../../shared/text/format-value.ts';
import type { Metric } from '../../shared/engine/values/metric.ts';

const PANE_CHOICES = [
  { value: 'all', text: 'All', hint: 'All panes (4)' },
  { value: 'flame', text: 'Flame graph', hint: 'Flame graph (3)' },
  { value: 'flat', text: 'Methods', hint: 'Methods (2)' },
  { value: 'tree', text: 'Call tree', hint: 'Call tree (1)' },
  { value: 'sandwich', text: 'Callers', hint: 'Callers and callees as flame graphs (5)' },
] as const;

const FRAME_CHOICES = [
  { value: 'fqmn', text: 'Method' },
  { value: 'line', text: 'Method and line' },
  { value: 'bci', text: 'Method and BCI' },
  { value: 'method-id', text: 'Method id' },
] as const;

const THREAD_CHOICES = [
  { value: 'all', text: 'All together' },
  { value: 'pool', text: 'By pool' },
  { value: 'name', text: 'By name' },
  { value: 'id', text: 'By id' },
] as const;

const MERGED_THREAD_CHOICES = [...THREAD_CHOICES, { value: 'group', text: 'By log' }] as const;

const LAYER_CHOICES = [
  { value: 'none', text: 'All samples' },
  { value: 'kind', text: 'By kind of code' },
  { value: 'pool', text: 'By thread pool' },
] as const;

const SHARES_CHOICES = [
  { value: 'view', text: 'Scope', hint: 'Percentages are of what is in scope' },
  { value: 'all', text: 'All', hint: 'Percentages are of all samples' },
  {
    value: 'parent',
    text: 'Row above',
    hint: 'In trees and flame graphs, percentages are of the row above: the caller, or the callee where callers are below; elsewhere of what is in scope',
  },
] as const;

/** Frames of all threads together have no thread that could colour them. */
function colourChoices(areThreadsApart: boolean): readonly SegmentedChoice<ColourBy>[] {
  return [
    { value: 'package', text: 'Package', hint: 'One hue per package' },
    {
      value: 'thread',
      text: 'Thread',
      hint: areThreadsApart ? 'One hue per pool of threads' : 'Needs threads by pool, name or id',
      disabled: !areThreadsApart,
    },
    { value: 'self', text: 'Self', hint: 'Stronger where more samples end' },
  ];
}

const THEME_CHOICES = [
  { value: 'system', text: 'System' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
] as const;

/** View options: panes, grouping of frames and threads, theme. `isNarrow`: also those that do not fit in the top row. */
function ViewOptions({
  log,
  isNarrow,
  onLeave,
}: {
  readonly log: LogView | undefined;
  readonly isNarrow: boolean;
  readonly onLeave: () => void;
}): ReactNode {
  const preferences = useWindow((state) => state.preferences);
  const isSmall = useWindow((state) => state.isSmall);
  return (
    <div className="form">
      {log !== undefined && (
        <>
          {!isSmall && (
            <Option label="Panes">
              <SegmentedControl<PaneChoice>
                label="Panes"
                choices={PANE_CHOICES}
                value={preferences.panes}
                onChange={choosePanes}
                testId="panes"
              />
            </Option>
          )}
          <Select
            label="Frames"
            choices={FRAME_CHOICES}
            value={preferences.frames}
            onChange={(frames) => prefer({ frames })}
            testId="frame-grouping"
          />
          <Select
            label="Threads"
            choices={log.merge === undefined ? THREAD_CHOICES : MERGED_THREAD_CHOICES}
            value={shownThreads(log, preferences.threads)}
            onChange={(threads) => prefer({ threads })}
            testId="thread-grouping"
          />
          <Option label="Percent of">
            <SegmentedControl<SharesOf>
              label="Percent of"
              choices={SHARES_CHOICES}
              value={preferences.sharesOf}
              onChange={(sharesOf) => prefer({ sharesOf })}
              testId="shares-of"
            />
          </Option>
          {isSmall && hasSamples(log) && (
            <Option label="List of threads">
              <button
                type="button"
                className="button"
                data-testid="open-threads"
                onClick={() => {
                  onLeave();
                  openDialog({ kind: 'threads' });
                }}
              >
                Choose…
              </button>
            </Option>
          )}
          <Check
            label="Zoom narrows tree and methods"
            isOn={preferences.zoomNarrows}
            onChange={(zoomNarrows) => prefer({ zoomNarrows })}
            testId="zoom-narrows"
          />
          {log.status?.hasSampleTimes === true && (
            <Check
              label="Timeline"
              isOn={preferences.timeline}
              onChange={(timeline) => prefer({ timeline })}
              testId="show-timeline"
            />
          )}
          {log.status?.hasSampleTimes === true && preferences.timeline && (
            <Select<Preferences['timelineLayers']>
              label="Timeline shows"
              choices={LAYER_CHOICES}
              value={preferences.timelineLayers}
              onChange={(timelineLayers) => prefer({ timelineLayers })}
              hint="What the area of the timeline is divided by"
              testId="timeline-layers"
            />
          )}
          {log.status?.hasSampleTimes === true && (
            <Check
              label="Heatmap"
              isOn={preferences.heatmap}
              onChange={(heatmap) => prefer({ heatmap })}
              testId="show-heatmap"
            />
          )}
          <Option label="Colours">
            <SegmentedControl<ColourBy>
              label="Colours"
              choices={colourChoices(preferences.threads !== 'all')}
              value={shownColourBy(preferences)}
              onChange={(colourBy) => prefer({ colourBy })}
              testId="colour-by"
            />
          </Option>
          {isNarrow && hasMetrics(log) && (
            <Option label="Metric">
              <MetricControl log={log} />
            </Option>
          )}
          <HideErrors log={log} />
        </>
      )}
      <Option label="Theme">
        <SegmentedControl<ThemeChoice>
          label="Theme"
          choices={THEME_CHOICES}
          value={preferences.theme}
          onChange={(theme) => prefer({ theme })}
          testId="theme"
        />
      </Option>
    </div>
  );
}

function Check({
  label,
  isOn,
  onChange,
  testId,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly testId: string;
}): ReactNode {
  const id = useId();
  return (
    <>
      <label className="form-label" htmlFor={id}>
        {label}
      </label>
      <div className="form-control">
        <input
          id={id}
          type="checkbox"
          checked={isOn}
          data-testid={testId}
          onChange={(event) => onChange(event.target.checked)}
        />
      </div>
    </>
  );
}

/** As the switch in the top row, which a narrow window has no space for. */
function HideErrors({ log }: { readonly log: LogView }): ReactNode {
  const id = useId();
  const isHidden = log.hidesErrors;
  const known = errorShare(log, isHidden);
  if (known === undefined) return null;
  return (
    <>
      <label className="form-label" htmlFor={id}>
        Hide errors
      </label>
      <div className="form-control">
        <span className="form-note">{known.share}</span>
        <input
          id={id}
          type="checkbox"
          checked={isHidden}
          data-testid="view-hide-errors"
          onChange={(event) => hideErrors(event.target.checked)}
        />
      </div>
    </>
  );
}

function Option({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <>
      <span className="form-label" aria-hidden="true">
        {label}
      </span>
      <div className="form-control">{children}</div>
    </>
  );
}

/** The button that opens the view options. `isNarrow`: they include those that do not fit in the top row. */
export function ViewMenu({
  log,
  isNarrow,
}: {
  readonly log: LogView | undefined;
  readonly isNarrow: boolean;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      label="View"
      isOpen={isOpen}
      onToggle={setOpen}
      button={
        <>
          <Icon name="view" />
          <span className="button-text">View</span>
        </>
      }
      buttonClass="button"
      buttonProps={{
        'aria-label': 'View',
        'data-testid': 'view',
        'data-tip': 'Panes, frames, threads, colours, theme',
      }}
    >
      {() => <ViewOptions log={log} isNarrow={isNarrow} onLeave={() => setOpen(false)} />}
    </Popover>
  );
}

/** There is a metric to choose: the file sums more than its samples. */
export function hasMetrics(log: LogView): boolean {
  return unitsOf(log).value !== undefined;
}

/** Chooses the metric of shares, widths and order: samples, or the value that the file sums. */
export function MetricControl({ log }: { readonly log: LogView }): ReactNode {
  const metric = useWindow((state) => state.preferences.metric);
  return (
    <SegmentedControl
      label="Metric"
      choices={metricChoices(unitsOf(log))}
      value={shownMetric(log, metric)}
      onChange={chooseMetric}
      disabled={!hasSamples(log)}
      testId="metric"
    />
  );
}

function metricChoices({ counted, value }: ProfileUnits): readonly SegmentedChoice<Metric>[] {
  const name = value?.name ?? '';
  return [
    {
      value: 'samples',
      text: capitalised(counted.many),
      hint: `Shares, widths and order by number of ${counted.many}`,
    },
    {
      value: 'time',
      text: name,
      hint: `Shares, widths and order by ${value?.meaning ?? name.toLowerCase()}`,
    },
  ];
}
