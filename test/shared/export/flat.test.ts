import { expect, test } from 'vitest';
import {
  type ProfileUnits,
  SAMPLES,
  SAMPLES_AND_TIME,
  SAMPLES_ONLY,
} from '../../../shared/profile/profile-units.ts';
import { writeCsv } from '../../../shared/export/flat.ts';
import { textCell, collectText } from '../../../shared/export/text-sink.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { KEEP_ALL } from '../../../shared/engine/views/filter.ts';
import { printable } from '../../../shared/text/printable.ts';
import { HOSTILE_NAMES, randomName } from '../../support/hostile-names.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { stackCells } from '../../support/stack-cells.ts';
import { testSeed } from '../../support/test-seed.ts';

const ORDER = { by: 'selfCount', descending: true } as const;

const { seed, randomFor } = testSeed('csv');

test('a header and a line per method, largest self first, of equal ones the largest total', () => {
  const { profile } = profileFromText(`
    main        main        main        main
    Shop.main   Shop.main   Shop.main   Shop.main
    Cart.add    Cart.add    Cart."pay"
  `);
  expect(csvOf(profile).split('\r\n')).toEqual([
    '"Method","Self #","Total #","Self %","Total %","Self time ns","Total time ns","Self time %","Total time %"',
    '"Cart.add",2,2,50.0000,50.0000,2000000,2000000,50.0000,50.0000',
    '"Shop.main",1,4,25.0000,100.0000,1000000,4000000,25.0000,100.0000',
    '"Cart.""pay""",1,1,25.0000,25.0000,1000000,1000000,25.0000,25.0000',
    '',
  ]);
});

test('B14 X04: what cannot be divided is empty, and negative times are numbers', () => {
  const aggregator = new ProfileAggregator();
  const thread = aggregator.thread(0, 1);
  aggregator.defineMethod(aggregator.method(0, 1), { file: '', className: 'A', methodName: 'a' });
  aggregator.sample(thread, stackCells([0, 1, 1, 1]), 1, -5);
  expect(csvOf(aggregator.profile).split('\r\n')[1]).toBe('"A.a",1,1,100.0000,100.0000,-5,-5,,');
});

test.each([
  ['java.lang.String.length', '"java.lang.String.length"'],
  ['<init>', '"<init>"'],
  ['a=1', '"a=1"'],
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-AGCT-.x', `"'-AGCT-.x"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t=1"`],
  ['\rx', `"'\rx"`],
  [' =1', `"' =1"`],
  ['\u00a0=1', `"'\u00a0=1"`],
  ['\uff1d1', `"'\uff1d1"`],
  ['a\n=b', `"a\n'=b"`],
  [';=1+1', `";'=1+1"`],
  ['a; @SUM(A1)', `"a;' @SUM(A1)"`],
  ['(Ljava/lang/String;I)V', '"(Ljava/lang/String;I)V"'],
  ['say "no", please', '"say ""no"", please"'],
])('X04: the text %j is the cell %s', (text, cell) => {
  expect(textCell(text)).toBe(cell);
});

/** A method whose class has no name stands alone. */
const keyOf = (name: string): string => printable(name === '' ? name : `${name}.${name}`);

test('X04: whatever methods are called: a reader gets the table back, and no sheet computes a cell', () => {
  for (let scenario = 0; scenario < 60; scenario++) {
    const random = randomFor(scenario);
    const names = scenario === 0 ? HOSTILE_NAMES : Array.from({ length: 40 }, () => randomName(random));
    const aggregator = new ProfileAggregator();
    names.forEach((name, at) => {
      aggregator.defineMethod(aggregator.method(0, at), { file: '', className: name, methodName: name });
      aggregator.sample(aggregator.thread(0, 1), stackCells([0, at, 1, 1]), 1, at);
    });
    const [header, ...rows] = parseCsv(csvOf(aggregator.profile));
    const where = `SEED=${seed} scenario ${scenario}`;
    expect(header).toHaveLength(9);
    expect(rows.length, where).toBe(new Set(names.map(keyOf)).size);
    for (const row of rows) {
      expect(row, where).toHaveLength(9);
      for (const line of row[0].split(/[\r\n;]/))
        expect(line, where).not.toMatch(/^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/);
      expect(row[0], where).not.toMatch(/^[\t\r\n]/);
      expect(
        row.slice(1).every((cell) => /^(-?\d+(\.\d{4})?|)$/.test(cell)),
        where,
      ).toBe(true);
    }
    const texts = rows.map(([text]) => text.replace(/(^|[\r\n;])'/g, '$1')).sort();
    expect(texts, where).toEqual(
      [...new Set(names.map((name) => keyOf(name).replace(/(^|[\r\n;])'/g, '$1')))].sort(),
    );
  }
});

function csvOf(profile: ProfileAggregator['profile']): string {
  return collectText((sink) =>
    writeCsv(
      { profile, frames: 'fqmn', recursion: 'once', order: ORDER, units: SAMPLES_AND_TIME, filter: KEEP_ALL },
      sink,
    ),
  );
}

/** RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (text[at] === '"') at++;
        cell += text[at];
      }
      at++;
    } else {
      while (text[at] !== ',' && text[at] !== '\r') cell += text[at++];
    }
    row.push(cell);
    if (text[at] === ',') {
      at++;
    } else {
      expect(text.slice(at, at + 2)).toBe('\r\n');
      at += 2;
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

test('the columns are what the file counts and sums', () => {
  const aggregator = new ProfileAggregator();
  const header = (units: ProfileUnits): string =>
    collectText((sink) =>
      writeCsv(
        {
          profile: aggregator.profile,
          frames: 'fqmn',
          recursion: 'once',
          order: ORDER,
          units,
          filter: KEEP_ALL,
        },
        sink,
      ),
    ).trim();
  expect(header(SAMPLES_ONLY)).toBe('"Method","Self #","Total #","Self %","Total %"');
  expect(header({ counted: SAMPLES, value: { name: 'Size', unit: 'bytes' } })).toBe(
    '"Method","Self #","Total #","Self %","Total %","Self size bytes","Total size bytes","Self size %","Total size %"',
  );
});
