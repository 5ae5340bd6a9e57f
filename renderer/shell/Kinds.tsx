import type { KeyboardEvent, ReactNode } from 'react';
import { type ChoiceOption, SAMPLE_TYPE_CHOICE, sampleTypeChoice } from '../../shared/facts/choice.ts';
import { formatCount, formatQuantity, formatRounded } from '../../shared/text/format-value.ts';
import { choose } from '../store/log-actions.ts';
import type { LogView } from '../store/window-state.ts';
import { atMostEight, MenuButton, type MenuItem } from '../widgets/Menu.tsx';
import { useMedia } from '../widgets/use-media.ts';

/** Kinds that have a tab of their own, by the width of the window, CSS pixels. */
const WIDE = '(width >= 1800px)';
const USUAL = '(width >= 1400px)';
const NARROW = '(width >= 1100px)';

/**
 * The kinds of samples of a file, such as CPU and allocations: a tab each, with the events that the file has of them. Those
 * without a tab are in a menu. Nothing for a file that has a single kind.
 */
export function Kinds({ log }: { readonly log: LogView }): ReactNode {
  const [isWide, isUsual, isNarrow] = [useMedia(WIDE), useMedia(USUAL), useMedia(NARROW)];
  const choice = sampleTypeChoice(log.status?.choices ?? []);
  if (choice === undefined || choice.options.length < 2) return null;
  const [tabs, rest] = shownKinds(choice.options, choice.chosen, isWide ? 5 : isUsual ? 3 : isNarrow ? 2 : 1);
  return (
    <div className="kinds">
      <div
        role="tablist"
        aria-label="Kinds of samples"
        className="segmented"
        data-testid="kinds"
        onKeyDown={moveAmongTabs}
      >
        {tabs.map((kind) => {
          const isChosen = kind.value === choice.chosen;
          return (
            <button
              key={kind.value}
              type="button"
              role="tab"
              aria-selected={isChosen}
              aria-controls={isChosen ? 'log-view' : undefined}
              tabIndex={isChosen ? 0 : -1}
              data-testid={`kind-${kind.value}`}
              data-tip={hintOf(kind)}
              onClick={() => chooseKind(kind)}
            >
              <span className="kind-name">{kind.short ?? kind.text}</span>
              {kind.count !== undefined && <span className="kind-count">{formatRounded(kind.count)}</span>}
            </button>
          );
        })}
      </div>
      {rest.length > 0 && (
        <MenuButton
          label="More kinds of samples"
          text="More"
          testId="more-kinds"
          entries={atMostEight(rest.map(entryOf))}
        />
      )}
    </div>
  );
}

/**
 * The kinds with a tab, and the others. The chosen one has a tab: the last one, where it is not among the first. Arguments
 * alone decide: a log that grows moves no tab.
 */
export function shownKinds(
  kinds: readonly ChoiceOption[],
  chosen: string,
  most: number,
): readonly [tabs: readonly ChoiceOption[], rest: readonly ChoiceOption[]] {
  const at = kinds.findIndex(({ value }) => value === chosen);
  const tabs = at < most ? kinds.slice(0, most) : [...kinds.slice(0, most - 1), kinds[at]];
  return [tabs, kinds.filter((kind) => !tabs.includes(kind))];
}

function chooseKind({ value }: ChoiceOption): void {
  choose(SAMPLE_TYPE_CHOICE, value);
}

function entryOf(kind: ChoiceOption): MenuItem {
  const { value, text, count } = kind;
  const hint = count === undefined ? {} : { hint: formatCount(count) };
  return { text, ...hint, testId: `kind-${value}`, run: () => chooseKind(kind) };
}

function hintOf({ text, count }: ChoiceOption): string {
  return count === undefined ? text : `${text}: ${formatQuantity(count, 'event')} in the file`;
}

/** Arrows move the focus; Enter and Space choose, because each choice reads the file again. */
function moveAmongTabs(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  event.stopPropagation();
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
  const at = tabs.findIndex((tab) => tab === document.activeElement);
  tabs[(at + step + tabs.length) % tabs.length]?.focus();
}
