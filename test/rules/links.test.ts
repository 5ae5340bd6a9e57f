import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, writtenFiles } from './source-files.ts';

const pages = writtenFiles().filter(
  (path) => path.endsWith('.md') && !/^test\/(fixtures|golden|output)\//.test(path),
);

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The text without blocks and spans of code, in which brackets are no links and `#` begins a comment. */
function proseOf(text: string): string {
  return text
    .replace(/^( *)(```|~~~)[\s\S]*?^\1\2.*$/gm, '')
    .replace(/`[^`\n]*`/g, (code) => 'x'.repeat(code.length));
}

/**
 * Anchors of a page's headings, as GitHub makes them: lower case, without punctuation, blanks as hyphens, and a number
 * behind one that the page has already.
 */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const prose = text.replace(/^( *)(```|~~~)[\s\S]*?^\1\2.*$/gm, '');
  for (const [, heading] of prose.matchAll(/^#{1,6} +(.+?) *#* *$/gm)) {
    const shown = heading
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[`*_]/g, (mark) => (mark === '_' ? '_' : ''));
    const plain = shown
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replace(/ /g, '-');
    let anchor = plain;
    for (let number = 1; anchors.has(anchor); number++) anchor = `${plain}-${number}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Targets of links and pictures: `[text](target)`, `[text]: target`, `src="target"`, `srcset="target"`. */
function targetsOf(text: string): readonly string[] {
  const prose = proseOf(text);
  return [
    ...prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g),
    ...prose.matchAll(/^\[[^\]]+\]: +(\S+)/gm),
    ...prose.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g),
  ].map(([, target]) => target);
}

/** Why a target of a page leads nowhere; undefined if it leads somewhere, or out of the repository. */
function faultOf(page: string, target: string): string | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(target)) return undefined;
  const [file, anchor] = target.split('#') as [string, string?];
  const path = file === '' ? page : normalize(join(dirname(page), decodeURIComponent(file)));
  if (path.startsWith('..') || !existsSync(join(ROOT, path))) return 'no such file';
  if (anchor === undefined) return undefined;
  if (statSync(join(ROOT, path)).isDirectory() || !path.endsWith('.md')) return 'an anchor of no page';
  return anchorsOf(textOf(path)).has(anchor) ? undefined : 'no such heading';
}

test('relative links and anchors of all Markdown files lead somewhere', () => {
  const links = pages.flatMap((page) => targetsOf(textOf(page)).map((target) => ({ page, target })));
  const broken = links.flatMap(({ page, target }) => {
    const fault = faultOf(page, target);
    return fault === undefined ? [] : [`${page}: ${target}: ${fault}`];
  });
  expect(links.length).toBeGreaterThan(60);
  expect(broken).toEqual([]);
});

test('anchors are those of GitHub', () => {
  const page = [
    '# What is *exact*',
    '## `a_b`, and [c](d)',
    '```',
    '# no heading',
    '```',
    '## Ubuntu 24.04 – x',
  ];
  expect([...anchorsOf([...page, '## What is exact'].join('\n'))]).toEqual([
    'what-is-exact',
    'a_b-and-c',
    'ubuntu-2404--x',
    'what-is-exact-1',
  ]);
});

test('a link to a missing file, heading or folder is found', () => {
  expect(faultOf('README.md', 'docs/no-such.md')).toBe('no such file');
  expect(faultOf('README.md', 'docs/json.md#no-such')).toBe('no such heading');
  expect(faultOf('README.md', '../elsewhere.md')).toBe('no such file');
  expect(faultOf('README.md', 'docs/json.md#schema')).toBeUndefined();
  expect(faultOf('README.md', 'https://example.org/x#y')).toBeUndefined();
  expect(targetsOf('[a](b.md#c) ![d](e.png) `[no](f)` <img src="g.png">')).toEqual([
    'b.md#c',
    'e.png',
    'g.png',
  ]);
});

/** Folders that commands make, and that are not in a fresh checkout. */
const MADE = /^(test\/(output|cases)|dist|release)\//;

test('files and folders that the documents name are there', () => {
  const named = pages
    .filter((page) => page.startsWith('docs/') || !page.includes('/'))
    .flatMap((page) =>
      Array.from(
        textOf(page).matchAll(/`((?:shared|electron|renderer|test|assets|docs)\/[\w./-]*)`/g),
        ([, path]) => ({
          page,
          path,
        }),
      ),
    );
  const missing = named.filter(({ path }) => !MADE.test(path) && !existsSync(join(ROOT, path)));
  expect(named.length).toBeGreaterThan(40);
  expect(missing).toEqual([]);
});
