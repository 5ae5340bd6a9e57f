import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { inCheckout, useBuiltProgram } from '../support/built-program.ts';

useBuiltProgram();

/** The npm that runs this, or the one on PATH. */
const npm = (folder: string, ...args: readonly string[]): string => {
  const script = process.env.npm_execpath;
  const [program, first] = script?.endsWith('.js') === true ? [process.execPath, [script]] : ['npm', []];
  return execFileSync(program, [...first, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && program === 'npm',
    // No server listens there: a request of npm fails.
    env: { ...process.env, npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' },
  });
};

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

const folder = mkdtempSync(join(tmpdir(), 'leanscope-npm-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const installed = join(folder, 'node_modules/leanscope');
let packed: Packed;

beforeAll(() => {
  const told = npm(inCheckout(), 'pack', '--ignore-scripts', '--json', '--pack-destination', folder);
  [packed] = JSON.parse(told) as readonly [Packed];
  writeFileSync(join(folder, 'package.json'), '{}');
  npm(folder, 'install', '--no-audit', '--no-fund', join(folder, packed.filename));
  copyFileSync(inCheckout('assets/shop.hpl.gz'), join(folder, 'shop.hpl.gz'));
});

const leanscope = (...args: readonly string[]) => [join(installed, 'dist/electron/cli.cjs'), ...args];

test('the package for npm is at most 3 MB, needs no other package, and runs nothing when it is installed', () => {
  expect(packed.size).toBeLessThan(3e6);
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'leanscope',
  ]);
  const description = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(Object.keys(description.scripts).filter((name) => /install|prepare$/.test(name))).toEqual([]);
  expect(existsSync(join(folder, 'node_modules/.bin/leanscope'))).toBe(true);
});

test('the package for npm has what runs, no sources, tests or maps', () => {
  const kinds = new Set(packed.files.map(({ path }) => path.replace(/^.*?(\.\w+)?$/, '$1')));
  expect([...kinds].sort()).toEqual([
    '',
    '.cjs',
    '.css',
    '.gz',
    '.html',
    '.js',
    '.json',
    '.md',
    '.svg',
    '.txt',
    '.woff2',
  ]);
});

test('an installed package answers, and serves its window, without a registry', async () => {
  const run = (...args: readonly string[]) =>
    execFileSync(process.execPath, leanscope(...args), { cwd: folder, encoding: 'utf8' });
  const { version } = JSON.parse(readFileSync(inCheckout('package.json'), 'utf8')) as {
    readonly version: string;
  };
  expect(run('version')).toBe(`leanscope ${version}\n`);
  expect(run('top', 'shop.hpl.gz')).toContain('com.acme.shop');

  const server = spawn(process.execPath, leanscope('shop.hpl.gz', '--no-open'), {
    cwd: folder,
    env: { ...process.env, XDG_CONFIG_HOME: folder },
  });
  onTestFinished(() => void server.kill());
  let errors = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const line = await new Promise<string>((done) =>
    server.stdout.setEncoding('utf8').once('data', (text: string) => done(text)),
  );
  const { origin, href } = new URL(/http:\S+/.exec(line)![0]);
  // The address with the token gives the browser a cookie.
  const { headers } = await fetch(href, { redirect: 'manual' });
  const page = await fetch(origin, { headers: { cookie: headers.getSetCookie().join() } });
  server.kill();
  await new Promise((done) => server.once('close', done));
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root"')]);
  expect(errors, 'a window that npm does not install is not missed').not.toContain('cannot be opened');
});

test('an installed package answers an assistant on standard input and output, from its thread', async () => {
  const server = spawn(process.execPath, leanscope('mcp', 'shop.hpl.gz'), { cwd: folder });
  onTestFinished(() => void server.kill());
  const replies = new Map<number, (reply: { readonly result: unknown }) => void>();
  let told = '';
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text;
    for (let end = told.indexOf('\n'); end >= 0; end = told.indexOf('\n')) {
      const reply = JSON.parse(told.slice(0, end)) as { readonly id: number; readonly result: unknown };
      told = told.slice(end + 1);
      replies.get(reply.id)?.(reply);
    }
  });
  const ask = async (id: number, method: string, params: object): Promise<unknown> => {
    const answered = new Promise<{ readonly result: unknown }>((done) => replies.set(id, done));
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return (await answered).result;
  };
  const clientInfo = { name: 'test', version: '1' };
  await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const opened = await ask(2, 'tools/call', { name: 'open', arguments: { path: 'shop.hpl.gz' } });
  expect(opened).toMatchObject({ structuredContent: { profile: 'shop.hpl.gz', samples: 5012 } });
  const top = await ask(3, 'tools/call', { name: 'top', arguments: { profile: 'shop.hpl.gz', limit: 1 } });
  expect(top).toMatchObject({ structuredContent: { whole: { samples: 3826 } } });
  server.stdin.end();
  expect(await new Promise((done) => server.once('close', done))).toBe(0);
});
