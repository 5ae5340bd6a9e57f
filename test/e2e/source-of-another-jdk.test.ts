import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterEach, expect, test, vi } from 'vitest';
import { objectionsInBothThemes } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { LogWindow } from '../support/window.ts';

const { open } = useWindows();

afterEach(() => vi.unstubAllEnvs());

const SOURCE = `package java.util;
class Shelf {
  void tidy() {
    for (int i = 0; i < 9; i++) {
      put(i);
    }
  }
}
`;

/** Dumps of a program on this version of Java, at these lines of `Shelf.tidy`. */
function dumpsOf(version: string, ...lines: readonly number[]): string {
  return lines
    .map(
      (line, at) => `2026-11-20 11:42:1${at}
Full thread dump OpenJDK 64-Bit Server VM (${version}+6 mixed mode, sharing):

"main" #1 prio=5 os_prio=0 cpu=1.00ms elapsed=5.61s tid=0x00007f93 nid=0xbb0 runnable  [0x00007f93]
   java.lang.Thread.State: RUNNABLE
\tat java.util.Shelf.tidy(Shelf.java:${line})
\tat Main.main(Main.java:3)

`,
    )
    .join('');
}

/** Opens the dumps where a JDK of this version has the source of the class, and shows it. */
async function showSource(jdk: string, dumps: string): Promise<LogWindow> {
  const home = temporaryFolder();
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), content);
  };
  write('release', `JAVA_VERSION="${jdk}"\n`);
  write('lib/src.zip', zipSync({ 'java.base/java/util/Shelf.java': strToU8(SOURCE) }));
  write('dumps.txt', dumps);
  vi.stubEnv('JAVA_HOME', home);
  const window = await open([join(home, 'dumps.txt')]);
  await window.part('sample-count').waitFor({ state: 'attached' });
  await window.settled();
  await window.showPane('flat');
  await window.part('pane-flat').getByTitle('java.util.Shelf.tidy', { exact: true }).click();
  await window.page.keyboard.press('6');
  await window.page.locator('.source-line').first().waitFor();
  await window.settled();
  return window;
}

const marked = (window: LogWindow): Promise<(string | null)[]> =>
  window.page
    .locator('.source-line[aria-selected=true]')
    .evaluateAll((lines) => lines.map((line) => line.getAttribute('data-line')));

test('the source of another release of Java is shown with a warning, and no line of it is marked', async () => {
  const window = await showSource('98.0.3', dumpsOf('97.0.15', 5, 5));
  expect(await window.part('source-mismatch').textContent()).toBe(
    'Recorded with 97.0.15, this is the source of 98.0.3: lines may be wrong.',
  );
  expect(await marked(window)).toEqual([]);
  expect(await objectionsInBothThemes(window)).toEqual([]);
  // The user may go to a line.
  await window.page.locator('.source-lines').focus();
  await window.page.keyboard.press('ArrowDown');
  expect(await marked(window)).toHaveLength(1);
  expect(window.problems).toEqual([]);
});

test('the source of the same release begins at its hottest line, which is none with only a brace', async () => {
  const window = await showSource('98.0.3', dumpsOf('98.0.15', 6, 6, 5));
  expect(await window.part('source-mismatch').textContent()).toBe(
    'This source does not match the recorded program: samples are at line 6, where there is no code.',
  );
  expect(await marked(window)).toEqual(['5']);
});
