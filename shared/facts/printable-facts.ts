import { printable } from '../text/printable.ts';
import type { Choice } from './choice.ts';
import type { Damage } from './damage.ts';
import type { FactTable, FormatFacts } from './format-facts.ts';
import type { InputProblem } from './log-facts.ts';

/**
 * The facts of an input without characters that a terminal or a page interprets: names of units, choices, events and
 * threads come from the file. Values of choices stay as they are, because decoders compare them.
 */
export function printableFacts(facts: FormatFacts): FormatFacts {
  const { counted, value } = facts.units;
  return {
    ...facts,
    units: {
      counted: { ...counted, one: printable(counted.one), many: printable(counted.many) },
      value: value === undefined ? undefined : { ...value, name: printable(value.name) },
    },
    choices: facts.choices.map(printableChoice),
    skips: facts.skips.map(printable),
    notes: facts.notes.map(printable),
    tables: facts.tables.map(printableTable),
    losses: facts.losses.map((loss) => ({ ...loss, why: printable(loss.why) })),
  };
}

function printableChoice(choice: Choice): Choice {
  const named = { ...choice, name: printable(choice.name), hint: printable(choice.hint) };
  if (named.kind !== 'one') return named;
  return {
    ...named,
    options: named.options.map((option) => ({ ...option, text: printable(option.text) })),
  };
}

function printableTable({ title, columns, rows, ...rest }: FactTable): FactTable {
  return {
    ...rest,
    title: printable(title),
    columns: columns.map(({ name, kind }) => ({ name: printable(name), kind })),
    rows: rows.map((row) => row.map((cell) => (typeof cell === 'string' ? printable(cell) : cell))),
  };
}

export function printableDamage({ what, found, expected, ...where }: Damage): Damage {
  return { ...where, what: printable(what), found: printable(found), expected: printable(expected) };
}

export function printableProblem({ text, advice, reasons }: InputProblem): InputProblem {
  return {
    text: printable(text),
    advice: printable(advice),
    reasons: reasons.map(({ name, because }) => ({ name: printable(name), because: printable(because) })),
  };
}
