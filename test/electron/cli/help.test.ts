import { expect, test } from 'vitest';
import { type CommandName, commandHelp } from '../../../electron/cli/options/commands.ts';
import { helpText } from '../../../electron/cli/help.ts';
import { flag, integer, oneOf, pairs, readArguments, texts } from '../../../electron/cli/options/options.ts';
import { NAMED_COMMANDS } from '../../../electron/runtime/command-names.ts';

const COMMANDS: readonly CommandName[] = ['open', ...NAMED_COMMANDS];

test('the options of a command stand below the headings of their groups, with an example before them', () => {
  expect(helpText('top').split('\n\n').slice(0, 4).join('\n\n')).toBe(
    `leanscope top FILE…

Prints a table of what is hot. A sample counts once for a row, however often it is on the stack.

Examples:
  leanscope top app.jfr --by total --group package  the packages with most samples
  leanscope top app.jfr --json --limit 5            for programs

Rows:
  -n, --limit ROWS
      most rows (default 20) (LEANSCOPE_LIMIT)
  --by self|total
      the hottest by samples that ended in them, or with them on the stack (default self)
  --group method|class|package|line|thread|pool
      what one row is (default method)
  --metric samples|time
      what rows are sorted by and percentages are of (default time for allocations, waits, calls and
      CPU time, else samples)
  --filter TEXT (repeatable)
      only rows whose name contains every TEXT`,
  );
});

test.each(COMMANDS)('the help of %s fits 100 columns and has all of its options', (command) => {
  const help = helpText(command);
  expect(help.split('\n').filter((line) => line.length > 100)).toEqual([]);
  for (const option of Object.keys(commandHelp(command).options)) expect(help).toContain(`--${option}`);
});

test.each(COMMANDS)('the help of %s has two examples', (command) => {
  expect(commandHelp(command).examples.length).toBeGreaterThanOrEqual(2);
});

test('the examples of the help are command lines', () => {
  for (const command of COMMANDS)
    for (const [line] of commandHelp(command).examples) {
      const words = line.split(' ').filter((word) => word !== '--quiet');
      const [name, ...argv] = command === 'open' ? ['open', ...words] : words;
      expect(name).toBe(command);
      expect(() => readArguments(argv, commandHelp(command).options), line).not.toThrow();
    }
});

const TABLE = {
  json: flag(''),
  output: { ...texts('OUT', ''), short: 'o' },
  width: integer('N', { least: 1, most: 9 }, '', 5),
  by: oneOf(['self', 'total'], ''),
  choose: pairs(''),
};

/** What was read, as text. */
function read(...argv: string[]): string {
  const { files, values, inOrder } = readArguments(argv, TABLE);
  const order = inOrder.map(({ option, value }) => `${option} ${value}`).join(', ');
  return `${files.join(' ')} | ${JSON.stringify(values)} | ${order}`;
}

test('options and files stand in any order, and values have the types of the table', () => {
  expect(read()).toBe(' | {"json":false,"output":[],"width":5,"choose":{}} | ');
  expect(
    read('a', '--width=7', '-o', '-', '--json', '-', '--output', '--json', '-o=b=c', '', '--', '-x'),
  ).toBe(
    'a -  -x | {"json":true,"output":["-","--json","b=c"],"width":7,"choose":{}} | width 7, output -, output --json, output b=c',
  );
  expect(read('--choose', 'a=b=c', '--by', 'total', '--choose', 'd=')).toBe(
    ' | {"json":false,"output":[],"width":5,"by":"total","choose":{"a":"b=c","d":""}} | choose a=b=c, by total, choose d=',
  );
});

test.each([
  [['-jo', 'x'], 'unknown option -jo'],
  [['-output', 'x'], "unknown option -output; did you mean '--output'?"],
  [['-ox'], 'unknown option -ox'],
  [['--constructor'], 'unknown option --constructor'],
  [['--o', 'x'], 'unknown option --o'],
  [['--json=yes'], '--json takes no value'],
  [['a', '-o'], '-o needs a value: -o OUT'],
  [['--by', 'sefl'], "--by cannot be 'sefl': it is one of self, total; did you mean 'self'?"],
  [['--width', '0', '--width', '5'], "--width cannot be '0': it is a number from 1 to 9"],
  [['--choose', '=b'], "--choose takes NAME=VALUE, not '=b'"],
])('%j is refused', (argv, message) => {
  expect(() => read(...argv)).toThrow(message);
});
