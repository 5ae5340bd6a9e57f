import { expect, test } from 'vitest';
import { noMatch } from '../../../../renderer/profile-worker/panes/no-match.ts';
import { EMPTY_SCOPE } from '../../../../shared/scope/scope.ts';
import { NO_CONDITIONS } from '../../../../shared/engine/views/row-conditions.ts';
import { type Driven, find, FLAT, flame, TREE, view, wholeLog } from '../../../support/driven-mirror.ts';

const NOTHING_LEFT_OUT = { hidesErrors: false, isScoped: false, isZoomed: false };
const NOTHING_PASSES = [[{ of: 'totalCount', comparison: '>', value: 1_000_000 }]] as const;
const METHOD = 'Pattern$Branch.match';

function told(driven: Driven): string {
  return driven.last('notice').text;
}

test('why there is no match is told in every pane: the search, the filter, hidden errors or the scope', () => {
  const driven = wholeLog(TREE, FLAT, flame());
  const ofPanes = (): string[] =>
    (['tree', 'flat', 'flame'] as const).map((pane) => {
      driven.ask(find(1, undefined, pane));
      return told(driven);
    });
  const inAll = (text: string): string[] => [text, text, text];
  driven.ask(view('no such name'));
  expect(ofPanes()).toEqual(inAll('No method matches.'));
  driven.ask(view('no such name', 'fqmn', false, EMPTY_SCOPE, NOTHING_PASSES));
  expect(ofPanes()).toEqual(inAll('No method matches.'));
  driven.ask(view(METHOD, 'fqmn', false, EMPTY_SCOPE, NOTHING_PASSES));
  expect(ofPanes()).toEqual(inAll('No match is among the rows that are shown.'));
  driven.ask(view('AGCT', 'fqmn', true));
  expect(ofPanes()).toEqual(inAll('Every match is an error, and errors are hidden.'));
  driven.ask(view(METHOD, 'fqmn', true, { ...EMPTY_SCOPE, threads: ['=no such thread'] }));
  expect(ofPanes()).toEqual(inAll('No match is in this scope.'));
  // What the zoom leaves is a part of the scope; a tree of callers has some methods only.
  const rest = [
    { ...NOTHING_LEFT_OUT, isZoomed: true, isScoped: true },
    { ...NOTHING_LEFT_OUT, hidesErrors: true },
  ].map((leftOut) => noMatch([0, 1], { isError: [true, false] }, false, leftOut).problem);
  expect(rest).toEqual(['No match is below the zoom.', 'No match is in this pane.']);
});

test('a row that is shown nowhere in a pane: what may leave it out is told', () => {
  const driven = wholeLog(TREE, FLAT);
  const rows = driven.shown('flat').rows;
  const method = rows.find(({ label }) => label.endsWith(METHOD))!;
  const error = rows.find(({ kind }) => kind === 'error')!;
  const reveal = (pane: 'tree' | 'flat', { id, label, kind }: typeof method): string => {
    driven.ask({ type: 'reveal', pane, selection: { of: 'methods', id, label, kind }, turn: 1 });
    return told(driven);
  };
  driven.ask(view('x y z', 'fqmn', false, EMPTY_SCOPE, NOTHING_PASSES));
  expect(reveal('tree', method)).toBe(`${method.label} is not in this pane because of the choice of rows.`);
  expect(reveal('flat', method)).toBe(
    `${method.label} is not in this pane because of the choice of rows or the find field.`,
  );
  driven.ask(view('', 'fqmn', true, EMPTY_SCOPE, NO_CONDITIONS));
  expect(reveal('tree', error)).toBe(`${error.label} is not in this pane because of hidden errors.`);
  driven.ask(view('', 'fqmn', false, { ...EMPTY_SCOPE, threads: ['=no such thread'] }));
  expect(reveal('tree', method)).toBe(`${method.label} is not in this pane because of the scope.`);
});
