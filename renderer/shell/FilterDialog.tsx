import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import {
  CHANGE_NAMES,
  CHANGES,
  COMPARED_SIDE_TEXT,
  type Condition,
  conditionProblem,
  type Conditions,
  KEY_COMPARISON_TEXT,
  KEY_COMPARISONS,
  type KeyComparison,
  NS_PER_MS,
  NUMBER_COMPARISON_TEXT,
  NUMBER_COMPARISONS,
  type NumberComparison,
  partsOfQuantity,
  QUANTITIES,
  type QuantityName,
  quantityText,
} from '../../shared/engine/views/row-conditions.ts';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import { countText } from '../../shared/text/format-value.ts';
import { closeDialog } from '../store/actions/actions.ts';
import { filterRows } from '../store/actions/scope-actions.ts';
import { unitsOf } from '../store/state/selectors.ts';
import type { LogView } from '../store/state/window-state.ts';
import { Button } from '../widgets/Button.tsx';
import { DialogForm, takesFocus, TextField } from '../widgets/Form.tsx';
import { Select } from '../widgets/Select.tsx';

/** The conditions of rows and frames that the panes show: for names and numbers, joined by `and` and `or`. */
export function FilterForm({ log }: { readonly log: LogView }): ReactNode {
  const units = unitsOf(log);
  const isCompared = log.baseline !== undefined;
  const [drafts, setDrafts] = useState<readonly DraftCondition[]>(() =>
    log.where.length === 0 ? [newDraft(0)] : draftsOf(log.where, units),
  );
  /** Problems are shown from the first attempt on. */
  const [isTried, setTried] = useState(false);

  function show(conditions: Conditions): void {
    filterRows(conditions);
    closeDialog('filter');
  }
  function apply(form: HTMLFormElement): void {
    setTried(true);
    const conditions = conditionsOf(drafts, units);
    if (conditions !== undefined) return show(conditions);
    const wrong = drafts.findIndex((each) => parsedDraft(each, units).problem !== undefined);
    form.querySelectorAll('input')[wrong]?.focus();
  }

  return (
    <DialogForm
      help={
        <>
          Trees and flame graphs also keep what leads to these rows. Numbers do not change. A name has its
          line or BCI where frames are grouped by it.
          {isCompared && ' While comparing, one side is enough.'}
          {drafts.length > 2 && ' “And” binds before “or”.'}
        </>
      }
      submit="Show"
      testId="filter-apply"
      hasCancel={false}
      aside={
        <>
          <Button
            icon="plus"
            className="dialog-aside"
            testId="filter-add"
            onClick={() => setDrafts([...drafts, newDraft(1 + Math.max(-1, ...drafts.map(({ id }) => id)))])}
          >
            Add condition
          </Button>
          <Button testId="filter-clear" onClick={() => show([])}>
            Show all rows
          </Button>
        </>
      }
      onSubmit={apply}
    >
      {isCompared && (
        <p>
          {CHANGE_NAMES.map((name) => (
            <Button key={name} testId={`filter-${name}`} onClick={() => show(CHANGES[name])}>
              {`Only ${name}`}
            </Button>
          ))}
        </p>
      )}
      <ol className="column">
        {drafts.map((draft, at) => (
          <ConditionLine
            key={draft.id}
            {...{ draft, units, isCompared, isTried }}
            position={at + 1}
            onChange={(changed) => setDrafts(drafts.with(at, { ...draft, ...changed }))}
            onRemove={() => setDrafts(drafts.filter((each) => each !== draft))}
          />
        ))}
      </ol>
    </DialogForm>
  );
}

interface ConditionLineProps {
  readonly draft: DraftCondition;
  /** From 1. */
  readonly position: number;
  readonly units: ProfileUnits;
  /** Whether there are sides of a comparison to choose from. */
  readonly isCompared: boolean;
  readonly isTried: boolean;
  readonly onChange: (changed: Partial<DraftCondition>) => void;
  readonly onRemove: () => void;
}

const JOINS = [
  { value: 'and', text: 'and' },
  { value: 'or', text: 'or' },
] as const;

function ConditionLine(props: ConditionLineProps): ReactNode {
  const { draft, position, units, isCompared, isTried, onChange } = props;
  const problemId = useId();
  const line = useRef<HTMLLIElement>(null);
  // A line that is added takes the focus. Those of a dialog that is just opening cannot take it yet.
  useEffect(() => line.current?.querySelector('select')?.focus(), []);
  const { problem } = parsedDraft(draft, units);
  // An empty field is no mistake before the first attempt.
  const shown = isTried || draft.text !== '' ? problem : undefined;
  const isLeftOut = !isCompared && draft.of !== 'key' && partsOfQuantity(draft.of).side !== undefined;
  const quantities = QUANTITIES.flatMap((of) => {
    const text = quantityText(of, units);
    const { side } = partsOfQuantity(of);
    if (text === undefined || (side !== undefined && !isCompared && of !== draft.of)) return [];
    return [{ value: of, text: text.name, group: side && COMPARED_SIDE_TEXT[side] }];
  });
  const unit = draft.of === 'key' ? '' : (quantityText(draft.of, units)?.unit ?? '');
  return (
    <li ref={line} className="line wrap">
      {position === 1 ? (
        <span className="filter-first mid">Rows where</span>
      ) : (
        <Select
          isBare
          label={`Condition ${position}: and, or`}
          value={draft.join}
          choices={JOINS}
          onChange={(join) => onChange({ join })}
        />
      )}
      <Select
        isBare
        label={`Condition ${position}: what`}
        value={draft.of}
        choices={[{ value: 'key', text: 'Name' }, ...quantities]}
        onChange={(of) => onChange(withQuantity(draft, of))}
      />
      <Select
        isBare
        label={`Condition ${position}: comparison`}
        value={draft.comparison}
        choices={comparisonsOf(draft.of)}
        onChange={(comparison) => onChange({ comparison })}
      />
      <span className="filter-value line grow mid">
        <TextField
          className="grow"
          ref={position === 1 ? takesFocus : undefined}
          inputMode={draft.of === 'key' ? 'text' : 'decimal'}
          aria-label={`Condition ${position}: value${unit === '' ? '' : `, ${unit}`}`}
          aria-invalid={shown !== undefined}
          aria-describedby={shown === undefined ? undefined : problemId}
          value={draft.text}
          onText={(text) => onChange({ text })}
        />
        {unit}
      </span>
      <Button icon="close" label={`Remove condition ${position}`} onClick={props.onRemove} />
      {isLeftOut && <p className="filter-note mid">Nothing is compared: this condition is left out.</p>}
      {shown !== undefined && (
        <p id={problemId} className="filter-note wrong" role="alert">
          {shown}
        </p>
      )}
    </li>
  );
}

function comparisonsOf(
  of: DraftCondition['of'],
): readonly { readonly value: DraftCondition['comparison']; readonly text: string }[] {
  return of === 'key'
    ? KEY_COMPARISONS.map((value) => ({ value, text: KEY_COMPARISON_TEXT[value] }))
    : NUMBER_COMPARISONS.map((value) => ({ value, text: NUMBER_COMPARISON_TEXT[value] }));
}

/** A condition as it is typed. */
export interface DraftCondition {
  /** Identifies the line while others come and go. */
  readonly id: number;
  /** The connection with the one before: `or` begins a group. */
  readonly join: 'and' | 'or';
  readonly of: 'key' | QuantityName;
  readonly comparison: KeyComparison | NumberComparison;
  readonly text: string;
}

type Units = Pick<ProfileUnits, 'value'>;

export function newDraft(id: number): DraftCondition {
  return { id, join: 'and', of: 'key', comparison: 'contains', text: '' };
}

/** The condition with another quantity. It keeps its comparison if the quantity has it. */
export function withQuantity(draft: DraftCondition, of: DraftCondition['of']): DraftCondition {
  const isKept = comparisonsOf(of).some(({ value }) => value === draft.comparison);
  return { ...draft, of, comparison: isKept ? draft.comparison : of === 'key' ? 'contains' : '>=' };
}

export function draftsOf(conditions: Conditions, units: Units): readonly DraftCondition[] {
  const drafts: DraftCondition[] = [];
  for (const group of conditions) {
    for (const [at, condition] of group.entries()) {
      const text =
        condition.of === 'key'
          ? condition.text
          : countText(isTime(condition.of, units) ? condition.value / NS_PER_MS : condition.value);
      const { of, comparison } = condition;
      drafts.push({ id: drafts.length, join: at === 0 ? 'or' : 'and', of, comparison, text });
    }
  }
  return drafts;
}

/** The condition that was typed, or why it is none. */
export function parsedDraft(
  { of, comparison, text }: DraftCondition,
  units: Units,
): { readonly condition: Condition; readonly problem: undefined } | { readonly problem: string } {
  let condition: Condition;
  if (of === 'key') {
    if (text === '') return { problem: 'Type a name or a part of one.' };
    condition = { of, comparison: comparison as KeyComparison, text };
  } else {
    const typed = typedNumber(text.trim());
    if (typeof typed === 'string') return { problem: typed };
    // Times are whole ns; 2.01 * 1e6 is a fraction less than 2,010,000.
    const value = isTime(of, units) ? Math.round(typed * NS_PER_MS) : typed;
    condition = { of, comparison: comparison as NumberComparison, value };
  }
  const problem = conditionProblem(condition);
  return problem === undefined ? { condition, problem } : { problem };
}

/** The number, or why it is none. Thousands may have commas, as everywhere in the window. */
function typedNumber(text: string): number | string {
  if (text === '') return 'Type a number.';
  if (/^[+\-\u2212]?(?:\d+|\d{1,3}(?:,\d{3})+|(?=\.\d))(?:\.\d*)?$/.test(text))
    return Number(text.replaceAll(',', '').replace('\u2212', '-'));
  // In many languages the comma is the decimal mark: as thousands, `1,5` would be read as 15.
  return text.includes(',')
    ? 'A comma separates thousands: 1,500. The decimal mark is a point: 1.5.'
    : 'not a number';
}

/** undefined if any of the drafts is no condition. */
export function conditionsOf(drafts: readonly DraftCondition[], units: Units): Conditions | undefined {
  const groups: Condition[][] = [];
  for (const draft of drafts) {
    const parsed = parsedDraft(draft, units);
    if (parsed.problem !== undefined) return undefined;
    const group = draft.join === 'and' ? groups.at(-1) : undefined;
    if (group === undefined) groups.push([parsed.condition]);
    else group.push(parsed.condition);
  }
  return groups;
}

const isTime = (of: DraftCondition['of'], units: Units): boolean =>
  of !== 'key' && quantityText(of, units)?.unit === 'ms';
