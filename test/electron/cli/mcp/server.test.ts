import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MOST_TOKENS, tokensOf } from '../../../../electron/cli/mcp/call-tool.ts';
import { instructions } from '../../../../electron/cli/mcp/server.ts';
import { queryAnswer } from '../../../../electron/cli/mcp/tools.ts';
import type { CompareRunsData } from '../../../../shared/answers/schemas.ts';
import { assistant } from '../../../support/assistant.ts';
import { cliOutput } from '../../../support/run-cli.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const STACKS = '[http-1 tid=1];Shop.serve;Cart.add 70\n[http-1 tid=1];Shop.serve;Cart.price 30\n';

/** A folder that is allowed, with a file, beside a file that is not. */
function places() {
  const folder = temporaryFolder();
  const [allowed, outside] = [join(folder, 'allowed'), join(folder, 'secret.txt')];
  mkdirSync(allowed);
  writeFileSync(join(allowed, 'app.collapsed'), STACKS);
  writeFileSync(outside, STACKS);
  return { folder, allowed, outside };
}

test('all that an assistant reads of the tools is at most 3,000 tokens, and reading tools say so', async () => {
  const { client } = await assistant({ folders: [places().allowed] }, true);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'open',
    'findings',
    'top',
    'tree',
    'method',
    'timeline',
    'compare',
    'query',
    'export',
    'record',
  ]);
  expect(tokensOf(JSON.stringify(tools) + (client.getInstructions() ?? ''))).toBeLessThanOrEqual(3000);
  const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
  expect(writing.map(({ name }) => name)).toEqual(['export', 'record']);
});

test('a JVM is recorded only where it was allowed, and without a folder nothing is written', async () => {
  const { allowed } = places();
  const names = async (given: Awaited<ReturnType<typeof assistant>>) =>
    (await given.client.listTools()).tools.map(({ name }) => name);
  expect(await names(await assistant({ folders: [allowed] }))).not.toContain('record');
  expect(await names(await assistant({ files: [join(allowed, 'app.collapsed')] }))).not.toContain('export');
});

test('that there is no SQL is said where DuckDB is not installed', () => {
  const said = 'There is no SQL (query): DuckDB is not installed.';
  expect([instructions(true).includes(said), instructions(false).includes(said)]).toEqual([false, true]);
});

test.each([
  ['outside of the folder', (p: ReturnType<typeof places>) => p.outside],
  ['behind ..', () => '../secret.txt'],
  [
    'a link that leads out',
    (p: ReturnType<typeof places>) => {
      symlinkSync(p.outside, join(p.allowed, 'link.txt'));
      return 'link.txt';
    },
  ],
  [
    'in a linked folder',
    (p: ReturnType<typeof places>) => {
      symlinkSync(p.folder, join(p.allowed, 'up'));
      return 'up/secret.txt';
    },
  ],
  ['a device', () => '/dev/zero'],
  ['not there', () => 'none.hpl'],
  ['an address', () => 'https://ada:k3pt0ut@example.invalid/app.jfr'],
])('a file %s is not read', async (_, pathIn) => {
  const found = places();
  const { call } = await assistant({ folders: [found.allowed] });
  const { isError, text } = await call('open', { path: pathIn(found) });
  expect([isError, text]).toEqual([
    true,
    expect.stringContaining('is not there or may not be read; allowed: '),
  ]);
  expect(text).not.toContain('k3pt0ut');
});

test('a pipe, a folder and a huge file in an allowed folder are refused with a reason', async () => {
  const { allowed } = places();
  execFileSync('mkfifo', [join(allowed, 'pipe')]);
  mkdirSync(join(allowed, 'sub'));
  writeFileSync(join(allowed, 'huge.hpl'), '');
  truncateSync(join(allowed, 'huge.hpl'), 3e9);
  const { call } = await assistant({ folders: [allowed] });
  const reasons: string[] = [];
  for (const path of ['pipe', 'sub', 'huge.hpl']) reasons.push((await call('open', { path })).text);
  expect(reasons).toEqual([
    'pipe: is no regular file; name a recording',
    'sub: is no regular file; name a recording',
    expect.stringMatching(/^huge.hpl: has .* more than .*; a person may name it on the command line/),
  ]);
});

test('an input, a file of somebody else, a link and a place outside are not written over', async () => {
  const { allowed, outside, folder } = places();
  writeFileSync(join(allowed, 'notes.txt'), 'mine');
  symlinkSync(outside, join(allowed, 'link.svg'));
  symlinkSync(folder, join(allowed, 'up'));
  const { call } = await assistant({ folders: [allowed] });
  await call('open', { path: 'app.collapsed' });
  const format = 'collapsed';
  for (const file of ['app.collapsed', 'notes.txt', 'link.svg', '../new.txt', 'up/new.txt', '..', '.']) {
    const { isError, text } = await call('export', { profile: 'app.collapsed', file, format });
    expect([file, isError], text).toEqual([file, true]);
  }
  expect(readFileSync(join(allowed, 'app.collapsed'), 'utf8')).toBe(STACKS);
  expect(readFileSync(join(allowed, 'notes.txt'), 'utf8')).toBe('mine');
  expect(readFileSync(outside, 'utf8')).toBe(STACKS);
  expect(readdirSync(folder).toSorted()).toEqual(['allowed', 'secret.txt']);
});

test('an export is written below the folder, and its own file may be written again', async () => {
  const { allowed } = places();
  const { call } = await assistant({ folders: [allowed] });
  await call('open', { path: 'app.collapsed' });
  for (const key of ['Cart.add', 'Cart.price']) {
    const scope = [`keep=${key}`];
    const { isError, text } = await call('export', {
      profile: 'app.collapsed',
      file: 'out.collapsed',
      scope,
    });
    expect(isError, text).toBe(false);
    expect(readFileSync(join(allowed, 'out.collapsed'), 'utf8')).toContain(key);
  }
});

test('errors say what to do', async () => {
  const { allowed } = places();
  const { call } = await assistant({ folders: [allowed] });
  const reason = async (name: Parameters<typeof call>[0], args: object): Promise<string> =>
    (await call(name, { ...args })).text;
  expect(await reason('top', { profile: 'app' })).toContain('nothing is open; call open with a path first');
  await call('open', { path: 'app.collapsed' });
  const profile = 'app.collapsed';
  expect(await reason('top', { profile: 'app.colapsed' })).toContain("did you mean 'app.collapsed'?");
  expect(await reason('top', { profile, limt: 3 })).toContain("did you mean 'limit'?");
  expect(await reason('method', { profile, key: 'Cart.ad' })).toContain("did you mean 'Cart.add'");
  expect(await reason('top', { profile, scope: ['kep=a'] })).toContain("did you mean 'keep'?");
  expect(await reason('top', { profile, scope: ['keep'] })).toContain(
    "scope cannot have 'keep': it is from=, to=",
  );
  expect(await reason('top', { profile, scope: { keep: 'a' } })).toContain(
    'expected array, received object at scope',
  );
  expect(await reason('top', { profile, scope: ['took=1s'] })).toContain("scope: took cannot be '1s'");
  expect(await reason('top', { profile, scope: ['from=noon'] })).toContain("scope: from cannot be 'noon'");
  expect(await reason('top', { profile, scope: ['thread=htp-1'] })).toContain("did you mean 'http-1'?");
  expect(await reason('timeline', { profile })).toContain('does not say when each sample was taken');
  expect(await reason('tree', { profile, of: 'callers' })).toContain('need the key of a method');
});

test('answers fit their tokens, whatever names a profile has, and say what was left out', async () => {
  const { allowed } = places();
  const names = Array.from(
    { length: 3000 },
    (_, at) => `com.acme.${'Long'.repeat(1 + (at % 60))}${at}.method`,
  );
  const lines = names.map(
    (name, at) => `com.acme.Main.main;${name};${'x'.repeat(at === 7 ? 60_000 : 3)}.y ${at + 1}`,
  );
  writeFileSync(join(allowed, 'wide.collapsed'), lines.join('\n'));
  const { call } = await assistant({ folders: [allowed] });
  const profile = 'wide.collapsed';
  const calls = [
    ['open', { path: profile }],
    ['findings', { profile }],
    ['top', { profile, limit: 1000 }],
    ['top', { profile, limit: 1000, tokens: MOST_TOKENS }],
    ['tree', { profile, limit: 1000 }],
    ['tree', { profile, limit: 1000, of: 'bottom-up', tokens: MOST_TOKENS }],
    ['method', { profile, key: 'com.acme.Main.main', limit: 1000 }],
    ['method', { profile, key: `${'x'.repeat(60_000)}.y` }],
    ['compare', { base: profile, new: profile, limit: 1000 }],
  ] as const;
  for (const [name, args] of calls) {
    const { text, data, isError } = await call(name, args);
    expect(isError, text).toBe(false);
    const most = 'tokens' in args ? args.tokens : 2000;
    expect(tokensOf(text), name).toBeLessThanOrEqual(most);
    expect(tokensOf(JSON.stringify({ data })), name).toBeLessThanOrEqual(most);
    if ('limit' in args && name === 'top') expect(text).toMatch(/Cut to \d+ of 1000 rows to fit \d+ tokens/);
  }
});

test('compare: several runs a side are told by more than runs differ from each other', async () => {
  const { allowed } = places();
  const run = (name: string, price: number): string => {
    writeFileSync(
      join(allowed, name),
      `com.acme.Main.main;Cart.price ${price}\ncom.acme.Main.main;Cart.add ${1000 - price}\n`,
    );
    return name;
  };
  const base = [run('a1.collapsed', 200), run('a2.collapsed', 220), run('a3.collapsed', 210)];
  const next = [run('b1.collapsed', 400), run('b2.collapsed', 430), run('b3.collapsed', 415)];
  const { call } = await assistant({ folders: [allowed] });
  for (const path of [...base, ...next]) await call('open', { path });
  const { data, text } = await call('compare', { base: base.join(), new: next.join(', ') });
  const { base: runs, changes } = data as unknown as CompareRunsData;
  expect(runs).toEqual(base.map((name) => ({ name, samples: 1000 })));
  const change = changes.find(({ key, of }) => key === 'Cart.price' && of === 'self');
  expect(change?.base.shares).toEqual([0.2, 0.22, 0.21]);
  expect(change?.difference).toBeCloseTo((400 + 430 + 415 - 630) / 3000);
  expect(text).toContain("Welch's test between runs");
  const printed = await cliOutput(
    ...['compare', ...base.map((name) => join(allowed, name)), '--against'],
    ...next.map((name) => join(allowed, name)),
  );
  expect(printed).toContain('20.00 to 22.00 %');
  expect(text).toContain('20.00 to 22.00 %');
  // Runs of one side alone that spread as widely tell nothing.
  const same = await call('compare', { base: base.join(), new: base.join() });
  expect((same.data as unknown as { changes: unknown[] }).changes).toEqual([]);
});

test('method: lines have their text where their source is below an allowed folder, and nowhere else', async () => {
  const { folder, allowed } = places();
  const lines = 'com.acme.Main.main(Main.java:3);com.acme.Cart.price(Cart.java:2) 70\n';
  writeFileSync(join(allowed, 'lined.collapsed'), lines.replaceAll(/\(\w+\.java:(\d)\)/g, ':$1'));
  const source = 'class Cart {\n  int price() { return SECRET; }\n}\n';
  const { call } = await assistant({ folders: [allowed] });
  await call('open', { path: 'lined.collapsed' });
  const asked = async (): Promise<string> =>
    (await call('method', { profile: 'lined.collapsed', key: 'com.acme.Cart.price' })).text;
  expect(await asked()).not.toContain('SECRET');
  // A source outside of the folder, and a link to it.
  mkdirSync(join(folder, 'com/acme'), { recursive: true });
  writeFileSync(join(folder, 'com/acme/Cart.java'), source);
  mkdirSync(join(allowed, 'com'));
  symlinkSync(join(folder, 'com/acme'), join(allowed, 'com/acme'));
  expect(await asked()).not.toContain('SECRET');
  mkdirSync(join(allowed, 'src/main/java/com/acme'), { recursive: true });
  writeFileSync(join(allowed, 'src/main/java/com/acme/Cart.java'), source);
  expect(await asked()).toContain('return SECRET');
});

test('query: SQL over a dataset below an allowed folder, at most so many rows, and no other file', async () => {
  const { allowed, outside } = places();
  const dataset = join(allowed, 'fleet');
  await cliOutput('export', 'assets/shop.hpl.gz', '--format', 'dataset', '-o', dataset);
  const { call } = await assistant({ folders: [allowed] });
  const counted = await call('query', { dataset: 'fleet', sql: 'SELECT count(*) AS stacks FROM stacks' });
  expect(counted.data.columns).toEqual(['stacks']);
  expect(Number(counted.data.rows[0][0])).toBeGreaterThan(1000);
  const many = await call('query', { dataset: 'fleet', sql: 'SELECT * FROM range(1000)' });
  expect([many.data.rows.length, many.data.hasMore]).toEqual([50, true]);
  const wrong = await call('query', { dataset: 'fleet', sql: 'SELECT nothing FROM nowhere' });
  expect([wrong.isError, wrong.text]).toEqual([
    true,
    expect.stringContaining('the views are samples, stacks and frames'),
  ]);
  for (const sql of [`SELECT * FROM read_text('${outside}')`, `COPY (SELECT 1) TO '${outside}'`])
    expect((await call('query', { dataset: 'fleet', sql })).isError).toBe(true);
  expect(readFileSync(outside, 'utf8')).toBe(STACKS);
  expect((await call('query', { dataset: '..', sql: 'SELECT 1' })).text).toContain('may not be read');
});

test('a query that never ends is cut, and says so', async () => {
  const dataset = join(temporaryFolder(), 'fleet');
  await cliOutput('export', 'assets/shop.hpl.gz', '--format', 'dataset', '-o', dataset);
  const endless = 'SELECT count(*) FROM range(10000000000) a, range(10000000000) b';
  await expect(queryAnswer(dataset, endless, { limit: 50, budgetMs: 300 })).rejects.toThrow(
    'the query was cut after 0.3 s: nothing was answered',
  );
});
