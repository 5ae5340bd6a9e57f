import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { prefixesIn, RangeForm } from '../../../renderer/shell/ScopeDialogs.tsx';
import { type LogView, newLogView } from '../../../renderer/store/state/window-state.ts';
import { EMPTY_SCOPE } from '../../../shared/scope/scope.ts';
import type { TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';

test('a range is applied only when the time of the earliest sample is known: typed times are since then', () => {
  const log: LogView = {
    ...newLogView('a', undefined, 'a.hpl', '/'),
    scope: { ...EMPTY_SCOPE, range: { kind: 'between', from: '7500000000', to: undefined } },
  };
  const form = (timeline: TimelineColumns | undefined): readonly unknown[] => {
    const html = renderToStaticMarkup(createElement(RangeForm, { log: { ...log, timeline } }));
    return [
      /<button[^>]*data-testid="range-apply"[^>]*>/.exec(html)![0].includes('disabled'),
      /<input[^>]*data-testid="range-from"[^>]*>/.exec(html)![0].replace(/^.*value="([^"]*)".*$/, '$1'),
      html.includes('not known yet'),
    ];
  };
  expect(form(undefined)).toEqual([true, '', true]);
  expect(form({ first: '5000000000', last: 9e9 } as TimelineColumns)).toEqual([false, '0:02.5', false]);
});

test.each([
  ['', []],
  [' \n*', []],
  ['com.acme.', ['com.acme.']],
  ['com.acme.*\norg.acme.\n  com.acme.\nShop', ['com.acme.', 'org.acme.', 'Shop']],
  ['foo(int, char', ['foo(int, char']],
])('the prefixes in %j', (text, expected) => {
  expect(prefixesIn(text, [])).toEqual(expected);
});

test('the prefixes of the step that is edited stay as they are', () => {
  expect(prefixesIn(' odd*\n odd2* ', [' odd*'])).toEqual([' odd*', 'odd2']);
});
