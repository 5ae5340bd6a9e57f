import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type AddressWindow,
  type PageAddress,
  pageAddress,
} from '../../../renderer/connection/page-address.ts';

/** A page at `/?token#`, and every address that it got. */
class Page {
  readonly written: string[] = [];
  readonly location = { hash: '', pathname: '/', search: '?token' };
  readonly history = {
    state: null as unknown,
    replaceState: (state: unknown, _: string, address: string): void => {
      this.history.state = state;
      this.written.push(address);
      this.location.hash = address.slice(address.indexOf('#'));
    },
  };
  readonly #listeners = new Map<string, () => void>();
  readonly address: PageAddress;

  constructor() {
    this.address = pageAddress({
      location: this.location,
      history: this.history,
      addEventListener: (name: string, listener: () => void) => void this.#listeners.set(name, listener),
    } as unknown as AddressWindow);
  }

  event(name: 'pagehide' | 'hashchange'): void {
    this.#listeners.get(name)?.();
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the latest of some changes is written once, after a pause, and later ones after another', () => {
  const page = new Page();
  for (const fragment of ['#a', '#b', '#c']) page.address.write(fragment, true);
  expect(page.written).toEqual([]);
  vi.runAllTimers();
  expect(page.written).toEqual(['/?token#c']);
  page.address.write('#d', true);
  vi.runAllTimers();
  expect(page.written).toEqual(['/?token#c', '/?token#d']);
});

test('a page that is left has its last change, and nothing is written twice', () => {
  const page = new Page();
  page.address.write('#a', true);
  page.event('pagehide');
  expect(page.written).toEqual(['/?token#a']);
  page.address.flush();
  vi.runAllTimers();
  expect(page.written).toEqual(['/?token#a']);
});

test('an address that somebody else has written meanwhile is kept', () => {
  const page = new Page();
  page.address.write('#a', true);
  page.location.hash = '#pasted';
  page.address.write('#b', true);
  vi.runAllTimers();
  expect(page.written).toEqual([]);
  expect(page.address.read()).toBe('#pasted');
  page.address.write('#c', true);
  vi.runAllTimers();
  expect(page.written).toEqual(['/?token#c']);
});

test('what is written because somebody else has changed the address replaces that', () => {
  const page = new Page();
  page.address.onChange(() => page.address.write('#normalized', true));
  page.address.write('#a', true);
  page.location.hash = '#pasted';
  page.event('hashchange');
  vi.runAllTimers();
  expect(page.written).toEqual(['/?token#normalized']);
});

test('a browser that refuses a change leaves the address as it is', () => {
  const page = new Page();
  const refused = vi.spyOn(page.written, 'push').mockImplementation(() => {
    throw new DOMException('too many', 'SecurityError');
  });
  page.address.write('#a', true);
  vi.runAllTimers();
  expect(refused).toHaveBeenCalledOnce();
  expect(page.address.read()).toBe('');
});

test('an address that the page has written is its own, as far as it says so; a link is not', () => {
  const page = new Page();
  page.location.hash = '#link';
  expect(page.address.isOwn()).toBe(false);
  page.address.write('#link', false);
  page.address.flush();
  expect(page.address.isOwn()).toBe(false);
  page.address.write('#link', true);
  page.address.flush();
  // As after a reload.
  expect(page.address.isOwn()).toBe(true);
  page.history.state = null;
  expect(page.address.isOwn()).toBe(false);
});
