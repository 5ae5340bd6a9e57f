import { type CSSProperties, memo, type ReactNode, useState } from 'react';
import { attributeOf } from '../../../shared/engine/trees/grouping.ts';
import { LEAST_PARTS, type MethodSpread } from '../../../shared/engine/comparison/spread.ts';
import { dayOfParts, nameInDay } from '../../../shared/scope/parts-of-time.ts';
import { partsText, untimedText } from '../../../shared/engine/comparison/part-sums.ts';
import { NO_CONTEXT, shownLabel, splitFrameLabel } from '../../../shared/text/format-frame.ts';
import {
  capitalised,
  formatCount,
  formatQuantity,
  formatShare,
  pointsText,
} from '../../../shared/text/format-value.ts';
import { printable } from '../../../shared/text/printable.ts';
import type { ListedSpread, SpreadPart } from '../../profile-worker/pane-messages.ts';
import { focusPane } from '../../store/actions/actions.ts';
import type { ListSort, ShownSpread } from '../../store/panes/pane-views.ts';
import { detailOf, unitsOf } from '../../store/state/selectors.ts';
import { chooseParts, chooseSpread, comparePart, offeredParts, onlyPart } from './part-actions.ts';
import {
  isOnlyPart,
  offeredAttributes,
  type PartsChoice,
  shownParts,
} from '../../store/state/spread-parts.ts';
import { goToMethod } from '../../store/actions/detail-actions.ts';
import { Button } from '../../widgets/Button.tsx';
import { take } from '../../widgets/key-name.ts';
import { SegmentedControl } from '../../widgets/SegmentedControl.tsx';
import { Select } from '../../widgets/Select.tsx';
import { drawsSame } from '../../store/state/quiet-log.ts';
import type { LogView } from '../../store/state/window-state.ts';
import { type ListColumn, ListTable } from '../table/ListTable.tsx';
import './spread.css';

/** Parts that are named for a method. */
const NAMED_PARTS = 3;

/** Shows which parts of the profile differ: the methods in which they do, or the shares of the selected one. */
export const SpreadPane = memo(function SpreadPane({ log }: { readonly log: LogView }): ReactNode {
  const { shown, by, isOfCall } = log.panes.spread;
  const parts = shownParts(log);
  const detail = detailOf(log);
  const label = detail?.label;
  /** The method that all methods were shown instead of. */
  const [leftMethod, leaveMethod] = useState<string>();
  const method = label === leftMethod ? undefined : shown?.method;
  const isShown = shown !== undefined && shown.of === parts?.value;
  const back = (): void => leaveMethod(label);
  // The pane is on screen for a log that has parts.
  if (parts === undefined) return null;
  const attributes = offeredAttributes(log);
  return (
    <section
      className="pane spread-pane"
      aria-label="Spread"
      data-pane="spread"
      data-testid="pane-spread"
      onFocus={() => focusPane('spread')}
      onKeyDown={(event) => {
        if (event.key !== 'Backspace' || method === undefined) return;
        back();
        take(event);
      }}
    >
      <div className="pane-bar">
        <SegmentedControl
          label="Parts"
          choices={offeredParts(log)}
          value={parts.value}
          onChange={chooseParts}
          testId="spread-parts"
        />
        {attributes.length > 1 && attributeOf(parts.value) !== undefined && (
          <Select
            label="By"
            hint="The attribute of requests whose values are the parts"
            choices={attributes}
            value={parts.value}
            onChange={chooseParts}
            testId="spread-attribute"
          />
        )}
        <SegmentedControl
          label="Shares"
          choices={BY}
          value={by}
          onChange={(value) => chooseSpread({ by: value })}
          testId="spread-by"
        />
        {method !== undefined && detail?.of === 'calls' && (
          <SegmentedControl
            label="Samples of"
            choices={OF}
            value={isOfCall ? 'call' : 'method'}
            onChange={(value) => chooseSpread({ isOfCall: value === 'call' })}
            testId="spread-of"
          />
        )}
        <span className="header-note spread-note" role="status" data-testid="spread-note">
          {isShown && [...noteOf(shown, method, parts), ...untimedNote(shown)].join('; ')}
        </span>
        {method !== undefined && (
          <Button className="button-small" testId="spread-all" onClick={back}>
            All methods
          </Button>
        )}
      </div>
      {isShown &&
        (method === undefined ? (
          <Methods shown={shown} day={dayOf(shown, parts)} onOpen={() => leaveMethod(undefined)} />
        ) : (
          <Parts key={shown.of} log={log} shown={shown} method={method} />
        ))}
    </section>
  );
}, drawsSame('spread'));

const BY = [
  { value: 'self', text: 'Self' },
  { value: 'total', text: 'Total' },
] as const;

const OF = [
  { value: 'method', text: 'Method', hint: 'Wherever the method is called' },
  { value: 'call', text: 'This call', hint: 'Only where it is called as in the selected row, in any thread' },
] as const;

/** The phrases about a method, or about all of them. */
function noteOf(
  shown: ShownSpread,
  method: MethodSpread | undefined,
  { one, inOrder }: Pick<PartsChoice, 'one' | 'inOrder'>,
): readonly string[] {
  const { parts, withSamples, methods, problem } = shown;
  const day = dayOf(shown, { inOrder });
  if (problem !== undefined) return [problem];
  if (method === undefined) {
    const used = withSamples.map((part) => parts[part].name);
    const count = `${partsText(shown.of, used, one)}${day === undefined ? '' : ` of ${day}`}`;
    if (withSamples.length < LEAST_PARTS)
      return [`${count}: at least ${LEAST_PARTS} are needed to tell them apart`];
    const differing = methods.filter(({ outliers, step }) => outliers.length > 0 || step !== undefined);
    const inMethods = differing.length === 0 ? 'no method' : formatQuantity(differing.length, 'method');
    return [`${count} differ in ${inMethods}`];
  }
  const { median, outliers, step, most, of } = method;
  if (of === 'self' && most === 0) return ['no sample ends in it: choose Total'];
  const out = outliers.length === 0 ? 'none stands out' : `${formatCount(outliers.length)} stand out`;
  return [
    `median ${formatShare(median, 1)}, ${outliers.length === 1 ? '1 stands out' : out}`,
    ...(step === undefined
      ? []
      : [
          `since ${nameOf(parts[step.part], day)} ${formatShare(step.before, 1)} → ${formatShare(step.after, 1)}`,
        ]),
  ];
}

function untimedNote({ untimed }: ShownSpread): readonly string[] {
  return untimed === 0 ? [] : [untimedText(untimed)];
}

/** The day of all parts, which is said once. */
function dayOf(
  { parts, withSamples }: ShownSpread,
  { inOrder }: Pick<PartsChoice, 'inOrder'>,
): string | undefined {
  return inOrder ? dayOfParts(withSamples.map((part) => parts[part].name)) : undefined;
}

function nameOf({ name }: SpreadPart, day: string | undefined): string {
  return name === '' ? 'without a name' : printable(nameInDay(name, day));
}

// ---- Methods ----

interface MethodRow extends ListedSpread {
  readonly name: string;
  readonly out: string;
}

interface MethodsProps {
  readonly shown: ShownSpread;
  readonly day: string | undefined;
  readonly onOpen: () => void;
}

/** The methods whose shares differ most; the parts of one are shown instead of it. */
function Methods({ shown, day, onOpen }: MethodsProps): ReactNode {
  const { methods, parts, more } = shown;
  const [sort, setSort] = useState<ListSort>(BY_DIFFERENCE);
  const largest = Math.max(1e-9, ...methods.map((each) => each.most));
  const short = methods.map(({ label }) => splitFrameLabel(label).name);
  const rows = methods.map((each, at): MethodRow => ({
    ...each,
    // A name of two methods needs its package.
    name: shownLabel(short.indexOf(short[at]) === short.lastIndexOf(short[at]) ? short[at] : each.label),
    out: outText(each, parts, day),
  }));
  return (
    <>
      <ListTable
        pane="spread"
        label="Methods that differ"
        rows={rows}
        title="Method"
        columns={[
          shareColumn<MethodRow>(
            'median',
            'Median %',
            'The middle share of all parts',
            ({ median }) => median,
          ),
          {
            id: 'range',
            title: 'Least to most',
            width: 140,
            hint: 'From the smallest to the largest share; the line is the median',
            value: ({ least, most }) => most - least,
            text: ({ least, most }) => `${percent(least)} to ${percent(most)}`,
            draw: ({ least, most, median }) => (
              <Bar from={least / largest} to={most / largest} median={median / largest} />
            ),
          },
          {
            id: 'difference',
            title: 'Stand out, since',
            width: 170,
            isText: true,
            hint: 'Parts that differ by more than parts do, and a lasting change; the largest difference first',
            value: differenceOf,
            text: ({ out }) => out,
          },
        ]}
        sort={sort}
        onSort={setSort}
        isInScope={() => false}
        actions={({ method }) => [
          {
            text: 'Its share in each part',
            button: 'Parts',
            hint: 'Enter',
            run: () => {
              onOpen();
              goToMethod(method);
            },
          },
        ]}
      />
      {more > 0 && <p className="list-note">{formatQuantity(more, 'method')} more</p>}
    </>
  );
}

const BY_DIFFERENCE: ListSort = { by: 'difference', descending: true };

const percent = (share: number): string => (100 * share).toFixed(2);

function shareColumn<Row>(
  id: string,
  title: string,
  hint: string,
  share: (row: Row) => number,
): ListColumn<Row> {
  return { id, title, hint, width: 84, value: share, text: (row) => percent(share(row)) };
}

function differenceOf({ outliers, step }: MethodSpread): number {
  const far = Math.abs(outliers.at(0)?.difference ?? 0);
  return Math.max(far, step === undefined ? 0 : Math.abs(step.after - step.before));
}

interface BarProps {
  readonly from: number;
  readonly to: number;
  readonly median: number;
  /** The side of the median on which a part stands out. */
  readonly out?: 'above' | 'below' | undefined;
}

/** Shares as a bar, with a line at the median of all parts. Fractions of the width. */
function Bar({ from, to, median, out }: BarProps): ReactNode {
  const style = { '--from': from, '--to': to, '--median': median } as CSSProperties;
  return <span className="spread-bar" style={style} data-out={out} />;
}

/** `web7 (+31.80), since 12:00: 3.10 % → 33.00 %` */
function outText(
  { outliers, step }: MethodSpread,
  parts: readonly SpreadPart[],
  day: string | undefined,
): string {
  const told = outliers
    .slice(0, NAMED_PARTS)
    .map(({ part, difference }) => `${nameOf(parts[part], day)} (${pointsText(difference)})`);
  const rest = outliers.length - told.length;
  const out = `${told.join(', ')}${rest === 0 ? '' : ` and ${formatCount(rest)} more`}`;
  if (step === undefined) return out;
  const since = `since ${nameOf(parts[step.part], day)}: ${formatShare(step.before, 1)} → ${formatShare(step.after, 1)}`;
  return out === '' ? since : `${since}; ${out}`;
}

// ---- Parts ----

interface PartRow {
  readonly name: string;
  readonly at: number;
  readonly part: SpreadPart;
  readonly share: number;
  /** From the median; 0 for a part that does not stand out. */
  readonly difference: number;
}

interface PartsProps {
  readonly log: LogView;
  readonly shown: ShownSpread;
  readonly method: MethodSpread;
}

/** The shares of a method in all parts: those that stand out come first, where time gives no order. */
function Parts({ log, shown, method }: PartsProps): ReactNode {
  const { of, parts, withSamples } = shown;
  const { value, inOrder = false, one = 'part' } = shownParts(log) ?? {};
  const day = dayOf(shown, { inOrder });
  const [sort, setSort] = useState<ListSort>(inOrder ? { by: 'name', descending: false } : BY_DIFFERENCE);
  const most = Math.max(method.most, 1e-9);
  const rows = withSamples
    .map((part, at): PartRow => ({
      name: nameOf(parts[part], day),
      at,
      part: parts[part],
      share: method.shares[at],
      difference: method.outliers.find((each) => each.part === part)?.difference ?? 0,
    }))
    .sort((a, b) => b.share - a.share);
  return (
    <ListTable
      pane="spread"
      label={`Parts of ${shownLabel(method.label)}`}
      rows={rows}
      title={value === 'time' ? 'From' : `${capitalised(one)}${day === undefined ? '' : ` of ${day}`}`}
      order={inOrder ? ({ at }) => at : undefined}
      columns={[
        {
          ...shareColumn<PartRow>(
            'share',
            'Share %',
            'Of the part; the line is the median',
            ({ share }) => share,
          ),
          width: 160,
          draw: ({ share, difference }) => (
            <span className="spread-share">
              <Bar
                from={0}
                to={share / most}
                median={method.median / most}
                out={difference === 0 ? undefined : difference > 0 ? 'above' : 'below'}
              />
              {percent(share)}
            </span>
          ),
        },
        {
          id: 'difference',
          title: 'From the median',
          width: 120,
          hint: 'Percentage points, of parts that differ by more than parts do',
          value: ({ difference }) => Math.abs(difference),
          text: ({ difference }) => (difference === 0 ? '' : pointsText(difference)),
        },
        {
          id: 'samples',
          title: capitalised(unitsOf(log).counted.many),
          width: 82,
          hint: 'All samples of the part',
          value: ({ part }) => part.samples,
          text: ({ part }) => formatCount(part.samples),
        },
      ]}
      sort={sort}
      onSort={setSort}
      isInScope={({ part }) => isOnlyPart(log.scope, of, part)}
      actions={({ part }) => {
        // Samples of no request cannot be chosen by an attribute.
        if (attributeOf(of) !== undefined && part.name === NO_CONTEXT) return [];
        const isOnly = isOnlyPart(log.scope, of, part);
        return [
          {
            text: isOnly ? 'All parts again' : 'Only this part',
            button: isOnly ? 'All' : 'Only',
            hint: 'Enter',
            run: () => onlyPart(of, part),
          },
          {
            text: 'Compare with the others',
            button: 'Vs others',
            hint: 'Shift Enter',
            run: () => comparePart(of, part),
          },
        ];
      }}
    />
  );
}
