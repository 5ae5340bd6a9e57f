import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type AskedView, DeferredPane } from '../../../../renderer/profile-worker/panes/deferred-pane.ts';
import type { PaneContext } from '../../../../renderer/profile-worker/panes/pane.ts';
import type { PaneSpec } from '../../../../renderer/profile-worker/pane-specs.ts';

/** Milliseconds of work, which fake timers do not count. */
let worked = 0;

beforeEach(() => {
  vi.useFakeTimers();
  worked = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + worked);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A pane of two parts that take 300 ms each. */
class Slow extends DeferredPane<PaneSpec> {
  made = 0;
  nodes = 100;
  /** Milliseconds that others have between the parts. */
  others = 0;
  readonly #change: (nodes: number) => void;

  constructor() {
    const source = { nodes: { length: 0 } };
    super('summary', { kind: 'answer', of: 'methods' }, {
      view: { source },
      isReading: true,
    } as unknown as PaneContext);
    this.#change = (nodes) => (source.nodes.length = nodes);
    this.grow(this.nodes);
  }

  grow(nodes: number): void {
    this.#change((this.nodes = nodes));
    this.refresh();
  }

  protected asked(): AskedView {
    return { view: this.context.view, question: ['same'], version: [this.nodes] };
  }

  protected *make(): Iterable<undefined> {
    worked += 300;
    setTimeout(() => (worked += this.others), 0);
    yield undefined;
    worked += 300;
    this.made++;
  }
}

test('growth waits ten times as long as the pane took, without what others did between its parts', () => {
  const pane = new Slow();
  pane.others = 60_000;
  vi.runAllTimers();
  expect(pane.made).toBe(1);
  pane.grow(110);
  vi.advanceTimersByTime(5_900);
  expect(pane.made).toBe(1);
  vi.advanceTimersByTime(200);
  expect(pane.made).toBe(2);
});

test('a profile of twice the size waits only for the least pause', () => {
  const pane = new Slow();
  vi.runAllTimers();
  pane.grow(200);
  vi.advanceTimersByTime(2_100);
  expect(pane.made).toBe(2);
  pane.grow(210);
  vi.advanceTimersByTime(2_100);
  expect(pane.made).toBe(2);
  vi.advanceTimersByTime(4_000);
  expect(pane.made).toBe(3);
});
