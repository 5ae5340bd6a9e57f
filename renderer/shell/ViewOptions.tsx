import { type ReactNode, useId, useState } from 'react';
import { groupingByContext } from '../../shared/engine/trees/grouping.ts';
import { type Choice, isValidNumber, SAMPLE_TYPE_CHOICE, switchText } from '../../shared/facts/choice.ts';
import { capitalised } from '../../shared/text/format-value.ts';
import { dayTimeOf } from '../panes/timeline/timeline-geometry.ts';
import { chooseMetric, prefer } from '../store/actions/actions.ts';
import { choose } from '../store/actions/log-actions.ts';
import { PLACES } from '../store/panes/pane-list.ts';
import type { Preferences } from '../store/state/preferences.ts';
import {
  activeLog,
  hasSamples,
  hasContexts,
  hasSampleTimes,
  lackOfThreads,
  shownColourBy,
  shownMetric,
  shownThreads,
  unitsOf,
} from '../store/state/selectors.ts';
import type { LogView, WindowState } from '../store/state/window-state.ts';
import { useWindow } from '../store/state/window-store.ts';
import { TextField } from '../widgets/Form.tsx';
import type { MenuEntry } from '../widgets/Menu.tsx';
import { IconPopover } from '../widgets/Popover.tsx';
import { type SegmentedChoice, SegmentedControl } from '../widgets/SegmentedControl.tsx';
import { Select } from '../widgets/Select.tsx';
import { tipOf } from './commands.ts';

/** A choice of one of several: a line of a form, and of the view options each value in the palette. */
interface Option {
  /** Its test id. */
  readonly id: string;
  readonly label: string;
  /** A box has the values `on` and `off`. */
  readonly control: 'strip' | 'list' | 'box';
  readonly choices: readonly SegmentedChoice<string>[];
  readonly value: string;
  readonly choose: (value: string) => void;
  /** Below it. */
  readonly hint?: string;
  /** A command of the palette does it. */
  readonly isCommand?: true;
}

/** The options of how profiles are shown that make sense now. `log`: the active one. */
function viewOptions(
  { preferences, isSmall }: Pick<WindowState, 'preferences' | 'isSmall'>,
  log: LogView | undefined,
): readonly Option[] {
  /** An option whose value is a preference. */
  function preferred<Key extends 'theme' | 'panes' | 'frames' | 'threads' | 'clock' | 'colourBy'>(
    key: Key,
    id: string,
    label: string,
    control: Option['control'],
    choices: readonly SegmentedChoice<Preferences[Key]>[],
  ): Option {
    return {
      id,
      label,
      control,
      choices,
      value: preferences[key],
      choose: (value) => prefer({ [key]: value }),
    };
  }
  const box = (key: 'summary' | 'timeline' | 'heatmap' | 'durations', label: string): Option => ({
    id: `show-${key}`,
    label,
    ...onOff(preferences[key]),
    choose: (value) => prefer({ [key]: value === 'on' }),
  });
  const theme = preferred('theme', 'theme', 'Theme', 'strip', THEMES);
  if (log === undefined) return [theme];
  const threads = shownThreads(log, preferences.threads);
  const hasTimes = hasSampleTimes(log);
  const noThreads = lackOfThreads(log, preferences);
  const options: readonly (Option | false)[] = [
    !isSmall && { ...preferred('panes', 'panes', 'Panes', 'strip', panes()), isCommand: true },
    preferred('frames', 'frame-grouping', 'Frames', 'list', FRAMES),
    {
      ...preferred('threads', 'thread-grouping', 'Threads', 'list', [
        ...THREADS,
        ...(log.merge === undefined ? [] : ([{ value: 'group', text: 'By log' }] as const)),
        ...(log.summary?.contextKeys ?? []).map((key) => ({
          value: groupingByContext(key),
          text: `By ${key}`,
        })),
      ]),
      value: threads,
    },
    !isSmall && { ...box('summary', 'Summary'), isCommand: true },
    hasTimes && box('timeline', 'Timeline'),
    hasTimes &&
      dayTimeOf(log.status?.lastTime ?? '0', 'utc') !== undefined &&
      preferred('clock', 'clock', 'Times', 'strip', CLOCKS),
    hasTimes && { ...box('heatmap', 'Heatmap'), isCommand: true },
    hasContexts(log) && box('durations', 'Durations of requests'),
    {
      ...preferred('colourBy', 'colour-by', 'Colours', 'strip', [
        { value: 'package', text: 'Package', hint: 'One hue per package' },
        {
          value: 'thread',
          text: 'Thread',
          // Frames of all threads together have no thread that could colour them.
          hint: noThreads ?? 'One hue per pool of threads',
          disabled: noThreads !== undefined,
        },
        { value: 'self', text: 'Self', hint: 'Stronger where more samples end' },
      ]),
      value: shownColourBy(log, preferences),
    },
    metricOption(log, preferences) ?? false,
    theme,
  ];
  return options.filter((option) => option !== false);
}

/** The metric of shares, widths and order, where the file sums more than its samples. */
function metricOption(log: LogView, preferences: Pick<Preferences, 'metrics'>): Option | undefined {
  const { counted, value } = unitsOf(log);
  if (value === undefined) return undefined;
  const by = 'Shares, widths and order by';
  return {
    id: 'metric',
    label: 'Metric',
    control: 'strip',
    value: shownMetric(log, preferences),
    choices: [
      { value: 'samples', text: capitalised(counted.many), hint: `${by} number of ${counted.many}` },
      { value: 'time', text: value.name, hint: `${by} ${value.meaning ?? value.name.toLowerCase()}` },
    ],
    choose: (metric) => chooseMetric(metric === 'time' ? 'time' : 'samples'),
  };
}

/** The values of the options that are not chosen, as entries of the palette. */
export function viewEntries(state: WindowState): readonly MenuEntry[] {
  return viewOptions(state, activeLog(state))
    .filter(({ isCommand }) => isCommand !== true)
    .flatMap(({ label, choices, value, choose }) =>
      choices
        .filter((choice) => choice.value !== value && choice.disabled !== true)
        .map((choice) => ({ text: `${label}: ${choice.text}`, run: () => choose(choice.value) })),
    );
}

const CLOCKS = [
  { value: 'since', text: 'From the start', hint: 'Since the earliest sample' },
  { value: 'local', text: 'Local', hint: 'Time of day on this machine' },
  { value: 'utc', text: 'UTC', hint: 'Coordinated universal time' },
] as const;

const onOff = (isOn: boolean) =>
  ({
    control: 'box',
    choices: [
      { value: 'on', text: 'on' },
      { value: 'off', text: 'off' },
    ],
    value: isOn ? 'on' : 'off',
  }) as const;

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

/** The places that can be shown alone. */
export const placeChoices = () =>
  PLACES.map(({ id, text, command }) => ({ value: id, text, hint: tipOf(command.id) }));

const panes = () => [
  { value: 'all', text: 'All', hint: tipOf('showAll') } as const,
  ...placeChoices().filter(({ value }) => value !== 'summary'),
];

/** The button that opens the view options. */
export function ViewMenu({ log }: { readonly log: LogView | undefined }): ReactNode {
  return (
    <IconPopover icon="view" label="View" testId="view" tip="View: panes, frames, threads, colours, theme">
      {() => <ViewOptions log={log} />}
    </IconPopover>
  );
}

function ViewOptions({ log }: { readonly log: LogView | undefined }): ReactNode {
  const preferences = useWindow((state) => state.preferences);
  const isSmall = useWindow((state) => state.isSmall);
  // A small window has no space for the control of the metric beside the numbers of the scope.
  const options = viewOptions({ preferences, isSmall }, log).filter(({ id }) => isSmall || id !== 'metric');
  return (
    <div className="form">
      {options.map((option) => (
        <OptionLine key={option.id} {...option} />
      ))}
    </div>
  );
}

function OptionLine({ id, label, control, value, hint, choices, choose }: Option): ReactNode {
  const field = useId();
  const shared = { label, choices, value, onChange: choose, testId: id };
  return (
    <>
      {control !== 'list' && (
        <label className="mid" htmlFor={field} aria-hidden={control === 'strip'}>
          {label}
        </label>
      )}
      {control === 'list' && <Select {...shared} />}
      {control === 'strip' && <SegmentedControl {...shared} />}
      {control === 'box' && (
        <input
          id={field}
          type="checkbox"
          checked={value === 'on'}
          data-testid={id}
          onChange={(event) => choose(event.target.checked ? 'on' : 'off')}
        />
      )}
      {hint !== undefined && <p className="form-hint small dim">{hint}</p>}
    </>
  );
}

/** Chooses the metric of shares, widths and order; nothing where the file sums only its samples. */
export function MetricControl({ log }: { readonly log: LogView }): ReactNode {
  const metrics = useWindow((state) => state.preferences.metrics);
  const option = metricOption(log, { metrics });
  if (option === undefined) return null;
  return (
    <SegmentedControl {...option} onChange={option.choose} testId={option.id} disabled={!hasSamples(log)} />
  );
}

/** Reading options of the file besides the kind of samples, if it has any: a button, and a panel to change them. */
export function Choices({ log }: { readonly log: LogView }): ReactNode {
  const choices = (log.status?.choices ?? []).filter(({ id }) => id !== SAMPLE_TYPE_CHOICE);
  if (choices.length === 0) return null;
  const names = choices.map(({ name }) => name.toLowerCase()).join(', ');
  return (
    <IconPopover icon="sliders" label="Reading options" testId="choices" tip={`Reading options: ${names}`}>
      {() => (
        <div className="form">
          {choices.map((choice) =>
            choice.kind === 'number' ? (
              <NumberField key={`${choice.id} ${choice.chosen}`} choice={choice} />
            ) : (
              <OptionLine key={choice.id} {...optionOf(choice)} />
            ),
          )}
        </div>
      )}
    </IconPopover>
  );
}

function optionOf(choice: Exclude<Choice, { kind: 'number' }>): Option {
  const { id, name: label, hint } = choice;
  const shared = { id: `choice-${id}`, label, hint };
  if (choice.kind === 'one') {
    const { options: choices, chosen: value } = choice;
    return { ...shared, control: 'list', choices, value, choose: (value) => choose(id, value) };
  }
  return {
    ...shared,
    ...onOff(choice.chosen),
    choose: (value) => choose(id, switchText(choice, value === 'on')),
  };
}

/**
 * Takes effect on Enter or when the field loses the focus, not at every digit: each value makes the host read the file
 * again.
 */
function NumberField({ choice }: { readonly choice: Choice & { kind: 'number' } }): ReactNode {
  const id = useId();
  const given = choice.chosen === undefined ? '' : String(choice.chosen);
  const [text, setText] = useState(given);
  const isWrong = text !== '' && !isValidNumber(Number(text));
  const take = (): void => {
    if (text !== given && !isWrong) choose(choice.id, text);
  };
  return (
    <>
      <label className="mid" htmlFor={id}>
        {choice.name}
      </label>
      <div className="line">
        <TextField
          id={id}
          className="number"
          inputMode="decimal"
          value={text}
          placeholder={String(choice.suggested)}
          aria-invalid={isWrong}
          aria-describedby={`${id}-hint`}
          testId={`choice-${choice.id}`}
          onText={(typed) => setText(typed.trim())}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === 'Enter') take();
            if (event.key === 'Escape' && text !== given) {
              event.stopPropagation();
              setText(given);
            }
          }}
        />
        <span>{choice.unit}</span>
      </div>
      <p
        className={`form-hint small ${isWrong ? 'wrong' : 'dim'}`}
        id={`${id}-hint`}
        role={isWrong ? 'alert' : undefined}
      >
        {isWrong ? `Enter a number above 0, for example ${choice.suggested}.` : choice.hint}
      </p>
    </>
  );
}
