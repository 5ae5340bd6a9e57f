import { capitalised } from '../../shared/text/format-value.ts';
import { dayTimeOf } from '../panes/timeline/timeline-geometry.ts';
import { chooseMetric, prefer } from '../store/actions.ts';
import type { Preferences } from '../store/preferences.ts';
import { hideErrors } from '../store/scope-actions.ts';
import {
  activeLog,
  hasSampleTimes,
  shownColourBy,
  shownMetric,
  shownThreads,
  unitsOf,
} from '../store/selectors.ts';
import type { LogView, WindowState } from '../store/window-state.ts';
import type { MenuEntry } from '../widgets/Menu.tsx';
import type { SegmentedChoice } from '../widgets/SegmentedControl.tsx';
import { errorShare } from './scope-numbers.ts';
import { PLACES } from '../store/pane-list.ts';
import { tipOf } from './commands.ts';

/** A choice of how profiles are shown: in the view options, and each of its values in the palette. */
export interface ViewOption {
  /** Its test id. */
  readonly id: string;
  readonly label: string;
  readonly control: 'strip' | 'list' | 'box';
  readonly hint?: string;
  /** Beside the control. */
  readonly note?: string;
  /** The values of a check box are `on` and `off`. */
  readonly choices: readonly SegmentedChoice<string>[];
  readonly value: string;
  /** Few need it: it is folded. */
  readonly isRare?: true;
  /** A command of the palette does it. */
  readonly isCommand?: true;
  readonly choose: (value: string) => void;
}

type Shown = Pick<WindowState, 'preferences' | 'isSmall'>;

/** The options that make sense now. `log`: the active one. */
export function viewOptions(
  { preferences, isSmall }: Shown,
  log: LogView | undefined,
): readonly ViewOption[] {
  const theme = chosen('theme', 'Theme', 'strip', preferences.theme, THEMES, (value) =>
    prefer({ theme: value }),
  );
  if (log === undefined) return [theme];
  const { frames, threads, sharesOf, timeline } = preferences;
  const hasTimes = hasSampleTimes(log);
  const errors = errorShare(log, log.hidesErrors);
  return [
    ...(isSmall
      ? []
      : [
          {
            ...chosen('panes', 'Panes', 'strip', preferences.panes, panes(), (value) =>
              prefer({ panes: value }),
            ),
            ...COMMAND,
          },
        ]),
    chosen('frame-grouping', 'Frames', 'list', frames, FRAMES, (value) => prefer({ frames: value })),
    chosen<Preferences['threads']>(
      'thread-grouping',
      'Threads',
      'list',
      shownThreads(log, threads),
      log.merge === undefined ? THREADS : MERGED_THREADS,
      (value) => prefer({ threads: value }),
    ),
    {
      ...chosen('shares-of', 'Percent of', 'strip', sharesOf, SHARES, (value) => prefer({ sharesOf: value })),
      isRare: true,
    },
    ...(isSmall ? [] : [{ ...box('show-summary', 'Summary', preferences.summary, 'summary'), ...COMMAND }]),
    ...(hasTimes ? [box('show-timeline', 'Timeline', timeline, 'timeline')] : []),
    ...(hasTimes && dayTimeOf(log.status?.lastTime ?? '0', 'utc') !== undefined
      ? [chosen('clock', 'Times', 'strip', preferences.clock, CLOCK_CHOICES, (clock) => prefer({ clock }))]
      : []),
    ...(hasTimes ? [{ ...box('show-heatmap', 'Heatmap', preferences.heatmap, 'heatmap'), ...COMMAND }] : []),
    chosen('colour-by', 'Colours', 'strip', shownColourBy(preferences), colours(threads !== 'all'), (value) =>
      prefer({ colourBy: value }),
    ),
    ...metricOptions(log, preferences),
    ...(errors === undefined
      ? []
      : [
          {
            ...chosen(
              'view-hide-errors',
              'Hide errors',
              'box',
              log.hidesErrors ? 'on' : 'off',
              ON_OFF,
              (value) => hideErrors(value === 'on'),
            ),
            ...COMMAND,
            note: errors.share,
          },
        ]),
    theme,
  ];
}

/** The metric of shares, widths and order, where the file sums more than its samples. */
export function metricOptions(
  log: LogView,
  preferences: Pick<Preferences, 'metrics'>,
): readonly ViewOption[] {
  const { counted, value } = unitsOf(log);
  if (value === undefined) return [];
  const by = 'Shares, widths and order by';
  const choices = [
    { value: 'samples', text: capitalised(counted.many), hint: `${by} number of ${counted.many}` },
    { value: 'time', text: value.name, hint: `${by} ${value.meaning ?? value.name.toLowerCase()}` },
  ] as const;
  return [chosen('metric', 'Metric', 'strip', shownMetric(log, preferences), choices, chooseMetric)];
}

/** The values of the options that are not chosen, as entries of the palette. */
export function viewEntries(state: WindowState): readonly MenuEntry[] {
  return viewOptions(state, activeLog(state)).flatMap(({ label, choices, value, choose, isCommand }) =>
    isCommand === true
      ? []
      : choices
          .filter((choice) => choice.value !== value && choice.disabled !== true)
          .map((choice) => ({ text: `${label}: ${choice.text}`, run: () => choose(choice.value) })),
  );
}

const CLOCK_CHOICES = [
  { value: 'since', text: 'From the start', hint: 'Since the earliest sample' },
  { value: 'local', text: 'Local', hint: 'Time of day on this machine' },
  { value: 'utc', text: 'UTC', hint: 'Coordinated universal time' },
] as const;

const COMMAND = { isCommand: true } as const;

function chosen<Value extends string>(
  id: string,
  label: string,
  control: ViewOption['control'],
  value: Value,
  choices: readonly SegmentedChoice<Value>[],
  choose: (value: Value) => void,
): ViewOption {
  const chooseText = (text: string): void => {
    const choice = choices.find((each) => each.value === text);
    if (choice !== undefined) choose(choice.value);
  };
  return { id, label, control, value, choices, choose: chooseText };
}

function box(
  id: string,
  label: string,
  isOn: boolean,
  preference: 'summary' | 'timeline' | 'heatmap',
): ViewOption {
  return chosen(id, label, 'box', isOn ? 'on' : 'off', ON_OFF, (value) =>
    prefer({ [preference]: value === 'on' }),
  );
}

const ON_OFF = [
  { value: 'on', text: 'on' },
  { value: 'off', text: 'off' },
] as const;

const THEMES = [
  { value: 'system', text: 'System' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
] as const;

const FRAMES = [
  { value: 'fqmn', text: 'Method' },
  { value: 'line', text: 'Method and line' },
  { value: 'bci', text: 'Method and BCI' },
  { value: 'method-id', text: 'Method id' },
] as const;

const THREADS = [
  { value: 'all', text: 'All together' },
  { value: 'pool', text: 'By pool' },
  { value: 'name', text: 'By name' },
  { value: 'id', text: 'By id' },
] as const;

const MERGED_THREADS = [...THREADS, { value: 'group', text: 'By log' }] as const;

const SHARES = [
  { value: 'view', text: 'Scope', hint: 'Percentages are of what is in scope' },
  { value: 'all', text: 'All', hint: 'Percentages are of all samples' },
  {
    value: 'parent',
    text: 'Row above',
    hint: 'In trees and flame graphs, percentages are of the row above: the caller, or the callee where callers are below; elsewhere of what is in scope',
  },
] as const;

/** The places that can be shown alone. */
export const placeChoices = () =>
  PLACES.map(({ id, text, command }) => ({ value: id, text, hint: tipOf(command.id) }));

const panes = () => [
  { value: 'all', text: 'All', hint: tipOf('showAll') } as const,
  ...placeChoices().filter(({ value }) => value !== 'summary'),
];

/** Frames of all threads together have no thread that could colour them. */
const colours = (areThreadsApart: boolean) =>
  [
    { value: 'package', text: 'Package', hint: 'One hue per package' },
    {
      value: 'thread',
      text: 'Thread',
      hint: areThreadsApart ? 'One hue per pool of threads' : 'Needs threads by pool, name or id',
      disabled: !areThreadsApart,
    },
    { value: 'self', text: 'Self', hint: 'Stronger where more samples end' },
  ] as const;
