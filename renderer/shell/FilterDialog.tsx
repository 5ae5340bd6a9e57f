import { Fragment, type ReactNode, useState } from 'react';
import {
  CHANGE_NAMES,
  CHANGES,
  type Condition,
  type Conditions,
  KEY_COMPARISONS,
  NUMBER_COMPARISONS,
  partsOfQuantity,
  QUANTITIES,
  quantityText,
  conditionField,
  readCondition,
} from '../../shared/engine/views/row-conditions.ts';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import { closeDialog, changeScope } from '../store/actions/actions.ts';
import { unitsOf } from '../store/state/selectors.ts';
import type { LogView } from '../store/state/window-state.ts';
import { DialogForm, FORM_HELP, FORM_PROBLEM, selectedWhenShown, TextField } from '../widgets/Form.tsx';

/** The conditions of rows and frames that the panes show, in the words of a link. */
export function FilterForm({ log }: { readonly log: LogView }): ReactNode {
  const [text, setText] = useState(() => conditionsText(log.where));
  const [problem, setProblem] = useState<string>();

  function apply(): void {
    const conditions = conditionsFrom(text);
    if (typeof conditions === 'string') return setProblem(conditions);
    changeScope({ where: conditions });
    closeDialog('filter');
  }
  return (
    <DialogForm
      help="Trees and flame graphs also keep what leads to these rows. Numbers do not change. Without a condition, all rows are shown."
      problem={problem}
      submit="Show"
      testId="filter-apply"
      onSubmit={apply}
    >
      <TextField
        ref={selectedWhenShown}
        aria-label="Condition"
        aria-describedby={problem === undefined ? FORM_HELP : `${FORM_HELP} ${FORM_PROBLEM}`}
        aria-invalid={problem !== undefined}
        placeholder="key contains java.util and selfCount >= 20"
        value={text}
        testId="filter-text"
        onText={setText}
      />
      <dl className="facts filter-words" tabIndex={0} aria-label="What can be written">
        {wordsOf(unitsOf(log), log.baseline !== undefined).map(([word, meaning]) => (
          <Fragment key={word}>
            <dt>
              <code>{word}</code>
            </dt>
            <dd className="mid">{meaning}</dd>
          </Fragment>
        ))}
      </dl>
    </DialogForm>
  );
}

/** All that can be written, and what it means. */
function wordsOf(units: ProfileUnits, isCompared: boolean): readonly (readonly [string, string])[] {
  const numbers = QUANTITIES.flatMap((of): (readonly [string, string])[] => {
    const text = partsOfQuantity(of).side === undefined ? quantityText(of, units) : undefined;
    if (text === undefined) return [];
    return [[of, text.unit === 'ms' ? `${text.name}, in ns: 50e6 is 50 ms` : text.name]];
  });
  const compared = [
    ['base. next. difference.', 'Before a number: of one side, or the difference; else one side is enough'],
    [CHANGE_NAMES.join(' '), 'Alone: rows of one side, or whose share differs by a point or more'],
  ] as const;
  return [
    ['key', `The name, with its line where frames are grouped by it: ${KEY_COMPARISONS.join(', ')}`],
    ...numbers,
    [NUMBER_COMPARISONS.join(' '), 'Between a number and its bound, with blanks around it'],
    ['and or', '“and” binds before “or”'],
    ...(isCompared ? compared : []),
  ];
}

/** Where the next condition begins: a key may have these words, too. */
const NEXT = new RegExp(` (and|or) (?=\\S+ (?:${[...KEY_COMPARISONS, ...NUMBER_COMPARISONS].join('|')}) )`);

export function conditionsText(conditions: Conditions): string {
  return conditions.map((group) => group.map(conditionField).join(' and ')).join(' or ');
}

/** The conditions of a text, or a sentence that says why it has none. */
export function conditionsFrom(text: string): Conditions | string {
  if (text.trim() === '') return [];
  const change = CHANGE_NAMES.find((name) => name === text.trim());
  if (change !== undefined) return CHANGES[change];
  const groups: Condition[][] = [[]];
  for (const [at, part] of text.trim().split(NEXT).entries()) {
    if (at % 2 === 1) {
      if (part === 'or') groups.push([]);
      continue;
    }
    const condition = readCondition(part);
    if (typeof condition === 'string') return condition;
    groups.at(-1)?.push(condition);
  }
  return groups;
}
