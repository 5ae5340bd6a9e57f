import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, writtenFiles } from './source-files.ts';

/** Put together here, so that this file does not break its own rule. */
const MACHINE_PATHS = new RegExp(
  ['work/(main|shared)', 'home/[a-z][a-z0-9_-]*/', 'root/', 'Users/[A-Za-z]']
    .map((path) => `(?<![\\w.])/${path}`)
    .join('|'),
);

const texts = writtenFiles().filter((path) => /\.(tsx?|m?js|cjs|css|html|md|json|ya?ml)$|^\.ci\//.test(path));

test('no file names a place on the machine that it was written on', () => {
  const naming = texts.flatMap((path) => {
    const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
    return lines.flatMap((line, at) =>
      MACHINE_PATHS.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [],
    );
  });
  expect(texts.length).toBeGreaterThan(80);
  expect(naming).toEqual([]);
});

test('style sheets have the sizes of type of tokens.css, and its line heights', () => {
  const own = /(?<![\w-])font(-size)?:[^;{}]*\d(px|r?em|pt|%)|(?<![\w-])line-height:\s*(?!(16|20|24)px)[\d.]/;
  const naming = texts
    .filter((path) => path.endsWith('.css') && path !== 'renderer/theme/tokens.css')
    .flatMap((path) => {
      const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
      return lines.flatMap((line, at) => (own.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : []));
    });
  expect(texts.filter((path) => path.endsWith('.css')).length).toBeGreaterThan(20);
  expect(naming).toEqual([]);
});

test('package-lock.json ties nobody to a registry of ours', () => {
  const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
  const hosts = Array.from(lock.matchAll(/"resolved": "[^"]*?:\/\/([^/"]+)/g), ([, host]) => host);
  expect(lock).toContain('"integrity": "sha512-');
  expect(hosts.filter((host) => host !== 'registry.npmjs.org')).toEqual([]);
});

test('a test is skipped with its reason, or not at all', () => {
  const ways = new RegExp(
    '\\b(test|it|describe|suite)\\.' + '(skip|todo|only|runIf|fails)|\\b(context|ctx)\\.skip',
  );
  const skipping = texts
    .filter((path) => path.startsWith('test/') && path.endsWith('.ts'))
    .filter((path) => ways.test(readFileSync(join(ROOT, path), 'utf8')));
  expect(skipping).toEqual(['test/support/test-unless.ts']);
});

test('nothing is left to be done in the sources', () => {
  const marks = new RegExp(['TO', 'DO|FIX', 'ME|X', 'XX'].join(''));
  const left = texts
    .filter((path) => /^(shared|electron|renderer|test)\//.test(path) && /\.(tsx?|m?js)$/.test(path))
    .filter((path) => marks.test(readFileSync(join(ROOT, path), 'utf8')));
  expect(left).toEqual([]);
});

test('the subject of a comment is the thing declared', () => {
  const words = ['Of', 'Likewise', 'The same', 'Those', 'As above'].join('|');
  // A clause has the thing declared as no subject: "What is read", "How many there are".
  const clauses = ['What', 'How', 'Which', 'Whose'].join('|');
  const first = new RegExp(
    `^\\s*((/\\*\\*|//|/\\*\\*\\n\\s*\\*) (${words})|/\\*\\*(\\n\\s*\\*)? (${clauses}))\\b.*$`,
    'gm',
  );
  const begun = texts
    .filter((path) => /^(shared|electron|renderer)\/.*\.tsx?$/.test(path))
    .flatMap((path) =>
      Array.from(
        readFileSync(join(ROOT, path), 'utf8').matchAll(first),
        ([line]) => `${path}: ${line.trim()}`,
      ),
    );
  expect(begun).toEqual([]);
});
