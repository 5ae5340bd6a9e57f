import { memo, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { COMPARE_MENU } from '../../shared/export/compare-list.ts';
import { EXPORT_MENU } from '../../shared/export/export-formats.ts';
import { type ChoiceOption, SAMPLE_TYPE_CHOICE, sampleTypeChoice } from '../../shared/facts/choice.ts';
import { formatCount, formatQuantity, formatRounded } from '../../shared/text/format-value.ts';
import { saveRecording } from '../store/actions/jvm-actions.ts';
import { choose } from '../store/actions/log-actions.ts';
import { hasSamples, isConnected, isFollowed, isFrozen } from '../store/state/selectors.ts';
import { toggleFreeze } from '../store/actions/time-actions.ts';
import type { LogView } from '../store/state/window-state.ts';
import { useWindow, send } from '../store/state/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import type { IconName } from '../widgets/icons.tsx';
import { atMostEight, MenuButton, type MenuEntry } from '../widgets/Menu.tsx';
import { moveFocus } from '../widgets/move-focus.ts';
import { commandWithId, entryOf, runnerOf, tipOf } from './commands.ts';
import { Details } from './Details.tsx';
import { Find } from './Find.tsx';
import { stateText } from './log-state.tsx';
import { Choices, ViewMenu } from './ViewOptions.tsx';
import './top-row.css';

/**
 * The window's first row. Left: the log, its state and the kinds of its samples. Right: the find field, view options and
 * commands, all at fixed places; what does not apply is disabled.
 */
export const TopRow = memo(function TopRow({ log }: { readonly log: LogView | undefined }): ReactNode {
  // The start page has the list itself.
  const canAttach = useWindow((state) => log !== undefined && state.capabilities.jvms === 'allowed');
  const connected = useWindow((state) => log === undefined || isConnected(state, log));
  const progress = log && stateText(log, connected).progress;
  return (
    <header className="top-row line">
      <CommandButton id="open" icon="plus" label="Open file" />
      {log !== undefined && (
        <>
          <Details log={log} />
          <Kinds key={`kinds ${log.key}`} log={log} />
          <Choices key={`choices ${log.key}`} log={log} />
        </>
      )}
      <div className="top-space grow" />
      {log !== undefined && (
        <>
          <Find key={log.key} log={log} />
          <RecordingButtons log={log} />
          {canAttach && (
            <CommandButton id="attach" icon="plug" label="Record…" testId="attach-button" isText />
          )}
          <FreezeButton log={log} />
          <CommandButton id="compare" icon="swap" label="Compare…" testId="compare-button" isText />
          <MenuButton
            label="Export"
            icon="export"
            text="Export…"
            testId="export-menu"
            disabled={!hasSamples(log)}
            entries={exportEntries(log)}
          />
        </>
      )}
      <ViewMenu log={log} />
      <CommandButton id="palette" icon="commands" label="Commands and shortcuts" testId="commands" />
      {progress !== undefined && <Progress label="Reading the file" share={progress} />}
    </header>
  );
});

/** A line along the lower edge. `share`: 0 to 1. */
export function Progress({ label, share }: { readonly label: string; readonly share: number }): ReactNode {
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(share * 100)}
    >
      <div style={{ transform: `scaleX(${share})` }} />
    </div>
  );
}

interface CommandButtonProps {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  readonly testId?: string;
  /** It says its label, where there is space. */
  readonly isText?: boolean;
  /** It makes no sense now. It is not disabled, because the last press that it takes would lose the focus. */
  readonly isOff?: boolean;
}

/** The button of a command: its tooltip says the key. */
export function CommandButton(props: CommandButtonProps): ReactNode {
  const { id, icon, label, testId = id, isText = false, isOff = false } = props;
  const tip = isText ? tipOf(id) : tipOf(id, label);
  return (
    <Button
      icon={icon}
      testId={testId}
      label={label}
      tip={tip}
      aria-disabled={isOff || undefined}
      onClick={runnerOf(id)}
    >
      {isText ? <span className="button-text">{label}</span> : undefined}
    </Button>
  );
}

function FreezeButton({ log }: { readonly log: LogView }): ReactNode {
  const mayFreeze = isFollowed(log) && log.status?.state !== 'failed';
  const frozen = isFrozen(log);
  const does = frozen ? 'Resume: show new samples' : 'Freeze the view; reading goes on';
  return (
    <Button
      icon="freeze"
      className={frozen ? 'button-on' : ''}
      testId="freeze"
      label="Freeze"
      aria-pressed={frozen}
      disabled={!mayFreeze}
      tip={mayFreeze ? tipOf('freeze', does) : 'This file is not followed'}
      onClick={toggleFreeze}
    />
  );
}

/** Ends a recording that Leanscope has started, or saves it, and pauses sampling by thread dumps; nothing for other logs. */
function RecordingButtons({ log: { hostLog } }: { readonly log: LogView }): ReactNode {
  const recording = useWindow(({ jvms }) => (hostLog === undefined ? undefined : jvms.recordings[hostLog]));
  const sampling = useWindow(({ jvms }) => (hostLog === undefined ? undefined : jvms.samplings[hostLog]));
  if (hostLog === undefined) return null;
  const samples = sampling === 'running';
  return (
    <>
      {recording === 'running' && (
        <Button
          icon="stop"
          testId="stop"
          tip="End the recording in the JVM and keep it open"
          onClick={() => send({ type: 'stopRecording', log: hostLog })}
        >
          Stop
        </Button>
      )}
      {recording === 'unsaved' && (
        <Button
          icon="export"
          testId="save-unsaved"
          tip="Save the recording as the JVM made it"
          onClick={() => saveRecording(hostLog)}
        >
          Save…
        </Button>
      )}
      {sampling !== undefined && sampling !== 'over' && (
        <Button
          testId="sampling"
          tip="The JVM is asked for thread dumps; its details say what they cost"
          onClick={() => send({ type: 'controlSampling', log: hostLog, run: !samples })}
        >
          {samples ? 'Pause sampling' : 'Go on sampling'}
        </Button>
      )}
    </>
  );
}

/** The menus of exports after the first group. */
const EXPORT_GROUPS = ['Texts and tables', 'For another tool'] as const;

/** The formats of export: the most frequent one first, the rest in menus beside it. */
function exportEntries(log: LogView): readonly MenuEntry[] {
  const state = useWindow.getState();
  const offered = (ids: readonly string[]): readonly MenuEntry[] =>
    ids.filter((id) => commandWithId(id)?.when?.(state) !== false).map(entryOf);
  const [first = [], ...others] = EXPORT_MENU.map((group) =>
    offered(group.map((format) => `export-${format}`)),
  );
  const compared = offered(COMPARE_MENU.map((format) => `export-compared-${format}`));
  return [
    ...(log.baseline === undefined ? [] : [{ text: 'Comparison', entries: atMostEight(compared) }]),
    ...(log.isRecording ? [entryOf('save-recording')] : []),
    ...first,
    ...others.flatMap((entries, at) =>
      entries.length === 0 ? [] : [{ text: EXPORT_GROUPS[at], entries: atMostEight(entries) }],
    ),
  ];
}

/**
 * The kinds of samples of a file, such as CPU and allocations: a tab each, with the events that the file has of them. As
 * many have a tab as there is space for; the others are in a menu, and have one behind the first while they are chosen, so
 * that no choice moves a tab. Nothing for a file that has a single kind.
 */
function Kinds({ log }: { readonly log: LogView }): ReactNode {
  const { options = [], chosen } = sampleTypeChoice(log.status?.choices ?? []) ?? {};
  const place = useRef<HTMLDivElement>(null);
  const fitting = useFitting(place, options.map(({ text, short = text }) => short).join());
  if (options.length < 2) return null;
  const tabs = options.filter(({ value }, at) => at < fitting || value === chosen);
  const rest = options.slice(fitting).filter(({ value }) => value !== chosen);
  return (
    <div ref={place} className="kinds line">
      <div
        role="tablist"
        aria-label="Kinds of samples"
        className="segmented"
        data-testid="kinds"
        // Enter and Space choose, because each choice reads the file again.
        onKeyDown={(event) =>
          moveFocus(event, 'row', [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')])
        }
      >
        {tabs.map(({ value, text, short = text, count }) => (
          <button
            key={value}
            type="button"
            role="tab"
            className="line"
            aria-selected={value === chosen}
            aria-controls={value === chosen ? 'log-view' : undefined}
            tabIndex={value === chosen ? 0 : -1}
            data-testid={`kind-${value}`}
            data-tip={count === undefined ? text : `${text}: ${formatQuantity(count, 'event')} in the file`}
            onClick={() => choose(SAMPLE_TYPE_CHOICE, value)}
          >
            <span className="kind-name cut">{short}</span>
            {count !== undefined && <span className="kind-count numbers">{formatRounded(count)}</span>}
          </button>
        ))}
      </div>
      {(rest.length > 0 || fitting === Infinity) && (
        <MenuButton
          label="More kinds of samples"
          {...(tabs.length > fitting ? {} : { text: 'More' })}
          testId="more-kinds"
          entries={atMostEight(rest.map(entryOfKind))}
        />
      )}
    </div>
  );
}

/**
 * The number of kinds that have space for a tab in their row beside its free space; Infinity while they are measured, all of
 * them being there. The widest of the others has space behind them, for it may be chosen.
 */
function useFitting(place: RefObject<HTMLElement | null>, names: string): number {
  const [measured, setMeasured] = useState<{ readonly names: string; readonly widths: readonly number[] }>();
  const [fitting, setFitting] = useState(0);
  const widths = measured?.names === names ? measured.widths : undefined;
  useLayoutEffect(() => {
    const element = place.current;
    const [free, find] = ['.top-space', '.search'].map((part) =>
      element?.parentElement?.querySelector<HTMLElement>(part),
    );
    if (element === null || !free || !find) return;
    const update = (): void => {
      if (widths === undefined) {
        const parts = element.querySelectorAll<HTMLElement>('[role=tab], [data-testid=more-kinds]');
        return setMeasured({ names, widths: Array.from(parts, ({ offsetWidth }) => offsetWidth + 2) });
      }
      // The find field is wider while it is used: no tab goes for that.
      const wider = find.offsetWidth - parseFloat(getComputedStyle(find).minWidth);
      const room = element.offsetWidth + free.offsetWidth + wider;
      setFitting(tabsThatFit(widths.slice(0, -1), widths.at(-1) ?? 0, room));
    };
    const observer = new ResizeObserver(update);
    observer.observe(free);
    // Where no space is free, only its own width tells that there are too many tabs.
    observer.observe(element);
    update();
    return () => observer.disconnect();
  }, [place, names, widths]);
  return widths === undefined ? Infinity : fitting;
}

/** The button of the menu beside the tab of a kind that was chosen in it, which then has no text. */
const ARROW = 34;

/** The number of tabs that fit into `room`; where not all do, with the button of the menu, or the widest of the others. */
export function tabsThatFit(widths: readonly number[], menu: number, room: number): number {
  const sum = (upTo: number): number => widths.slice(0, upTo).reduce((all, width) => all + width, 0);
  if (sum(widths.length) < room) return widths.length;
  let fitting = widths.length - 1;
  const rest = (): number => Math.max(menu, ARROW + Math.max(...widths.slice(fitting)));
  while (fitting > 0 && sum(fitting) + rest() >= room) fitting--;
  return fitting;
}

function entryOfKind({ value, text, count }: ChoiceOption): MenuEntry {
  const hint = count === undefined ? undefined : formatCount(count);
  return { text, hint, testId: `kind-${value}`, run: () => choose(SAMPLE_TYPE_CHOICE, value) };
}
