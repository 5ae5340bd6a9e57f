import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SummaryPane } from '../../../../renderer/panes/summary/SummaryPane.tsx';
import { newLogView } from '../../../../renderer/store/state/window-state.ts';

test('until the worker has answered, the summary says that it is busy, in a line and in words', () => {
  const log = newLogView('host:1', undefined, 'app.hpl', '');
  const markup = renderToStaticMarkup(createElement(SummaryPane, { log }));
  expect(markup).toContain('aria-busy="true"');
  expect(markup).toContain('summary-progress');
  expect(markup).toContain('Looking where the samples are…');
});
