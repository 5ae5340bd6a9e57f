import { expect } from 'vitest';
import { elideMiddle, splitFrameLabel } from '../../shared/text/format-frame.ts';
import { goldenPath } from './read-log.ts';
import { runCli } from './run-cli.ts';
import type { LogWindow } from './window.ts';

/** The steps of the scope, as their chips say them. */
export async function chips(window: LogWindow): Promise<string[]> {
  await window.settled();
  return window.part('scope-chip').allTextContents();
}

/** A method in the chip of a transform: without its package. */
export function shortName(label: string): string {
  const { id, name, position } = splitFrameLabel(label);
  return id + elideMiddle(name, 30) + position;
}

/** Lines of an export of the server's log in a scope: `key self total`. */
export async function flatLines(...options: string[]): Promise<string[]> {
  const { stdout } = await runCli(['export', goldenPath('server-small'), '--format', 'flat', ...options]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t').slice(0, 3).join(' '));
}

/** The numbers of the methods on screen are those of an export in the same scope. */
export async function expectFlat(window: LogWindow, ...options: string[]): Promise<void> {
  const expected = new Map(
    (await flatLines(...options)).map((line) => {
      const [key, , total] = line.split(' ');
      return [key, total];
    }),
  );
  const shown = await window.numbers('flat', 'totalCount');
  expect(shown.size).toBeGreaterThan(3);
  for (const [key, total] of shown) expect([key, total.replace(/\D/g, '')]).toEqual([key, expected.get(key)]);
}
