import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { requireNoPassword } from '../../../electron/cli/main.ts';
import { filesOf } from '../../../electron/desktop/opened-files.ts';
import { fleetAddress, fleetName, hasPassword } from '../../../electron/fleet/fleet-address.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PASSWORD = 'k3pt 0ut+of/sight';
const FILE = 'assets/shop.jfr.gz';

const IN_HEADER = Buffer.from(`reader:${PASSWORD}`).toString('base64');
/** The passwords of the environment and of addresses, as they are written and sent. */
const FORMS = [PASSWORD, 'k3pt0ut', encodeURIComponent(PASSWORD), IN_HEADER];
const shown = (text: string): readonly string[] => FORMS.filter((form) => text.includes(form));

/** What is stored in a folder. */
function stored(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => `${name} ${readFileSync(join(parentPath, name), 'utf8')}`)
    .join('\n');
}

const ADDRESSES = [
  'clickhouse://reader:k3pt0ut@127.0.0.1:1/db',
  'CLICKHOUSE://reader:k3pt0ut@127.0.0.1:1/db',
  'clickhouses://:k3pt0ut@127.0.0.1:1/db?samples=s',
  'clickhouse://reader:k3pt0ut@127.0.0.1:99999/db',
  'clickhouse://reader:x/k3pt0ut@127.0.0.1:1/db',
  'clickhouse://reader:a@k3pt0ut@127.0.0.1:1/db',
  'clickhouse://reader@127.0.0.1:1/db?samples=s&password=k3pt0ut',
  'https://ada:k3pt0ut@example.invalid/app.jfr',
];

test('an address with a password is refused by every command, and shown and stored by none', async () => {
  const settings = temporaryFolder();
  vi.stubEnv('XDG_CONFIG_HOME', settings);
  onTestFinished(() => void vi.unstubAllEnvs());
  const out = join(temporaryFolder(), 'out');
  mkdirSync(out);
  for (const address of ADDRESSES)
    for (const command of [
      [address],
      ['open', address],
      ['serve', address, '--no-open'],
      ...['top', 'tree', 'summary', 'findings', 'spread', 'timeline', 'operations'].map((name) => [
        name,
        address,
        '--json',
      ]),
      ['method', 'x', address],
      ['compare', address],
      ['compare', FILE, address],
      ['compare', FILE, address, '--against', address, '--format', 'html', '-o', join(out, 'a.html')],
      ['export', address, '-o', join(out, 'a.html')],
      ['export', address, '--format', 'dataset', '-o', join(out, 'set')],
      ['scrub', address, '-o', join(out, 'b.jfr')],
      ['convert-trace', address, '-o', join(out, 'c.trcbin')],
      ['push', FILE, '--otlp', address],
      ['push', FILE, `--pyroscope=${address}`],
      ['push', address, '--otlp', 'http://127.0.0.1:1'],
      ['attach', address],
    ]) {
      const { status, stdout, stderr } = await runCli(command);
      const told = command.join(' ');
      expect(shown(stdout + stderr), told).toEqual([]);
      expect(stderr, told).toContain('a password does not belong in an address');
      expect(status, told).toBe(2);
    }
  expect(shown(stored(settings) + stored(out))).toEqual([]);
});

test('the desktop refuses an address with a password as commands do, keeps none, and no name has one', () => {
  expect(() => requireNoPassword(['--no-sandbox', '--', 'a.hpl'])).not.toThrow();
  for (const address of ADDRESSES) {
    expect(hasPassword(address), address).toBe(true);
    expect(() => requireNoPassword(['--', address, 'a.hpl']), address).toThrow(
      /^a password does not belong [^@]*$/,
    );
    expect(filesOf(['--', address, 'a.hpl'], '/logs')).toEqual(['/logs/a.hpl']);
    expect(shown(fleetName(address)), address).toEqual([]);
    if (!address.startsWith('https:')) expect(() => fleetAddress(address)).toThrow('CLICKHOUSE_PASSWORD');
  }
  for (const plain of [
    'clickhouse://reader@127.0.0.1:8123/db?samples=s&where=a+%3D+%27x%3Ay%40z%27',
    'clickhouse://127.0.0.1:8123/db?where=a:b@c',
    fleetAddress(temporaryFolder(), { where: "host = 'a:b@c'" }),
    '/logs/a:b@c.hpl',
    'a:b@c',
    'app.jfr?password=x',
  ])
    expect(hasPassword(plain), plain).toBe(false);
});

test('the password of the environment is in nothing that a command prints or writes, whatever the server repeats', async () => {
  const settings = temporaryFolder();
  vi.stubEnv('XDG_CONFIG_HOME', settings);
  vi.stubEnv('CLICKHOUSE_PASSWORD', PASSWORD);
  vi.stubEnv('LEANSCOPE_PUSH_USER', 'reader');
  vi.stubEnv('LEANSCOPE_PUSH_PASSWORD', PASSWORD);
  onTestFinished(() => void vi.unstubAllEnvs());
  let isRefusing = true;
  let sent = '';
  const server = createServer((request, response) => {
    sent += request.headers.authorization ?? '';
    request
      .resume()
      .on('end', () =>
        isRefusing
          ? response.writeHead(403).end(`no: ${PASSWORD} ${request.headers.authorization}`)
          : response.end('stack\tsamples\nString\tUInt64\na;b\t3\nc\t2\n'),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const address = `clickhouse://reader@127.0.0.1:${port}/db`;
  const out = temporaryFolder();
  const sql = ['--sql', 'SELECT 1'];
  const commands = [
    ...['top', 'tree', 'summary', 'findings'].map((name) => [name, address, '--json', ...sql]),
    ['top', address, ...sql],
    ['compare', address, address, ...sql, '--json'],
    ['export', address, ...sql, '--format', 'html', '-o', join(out, 'a.html')],
    ['export', address, ...sql, '--format', 'json', '-o', join(out, 'a.json')],
    ['export', address, ...sql, '--format', 'svg', '-o', join(out, 'a.svg')],
    ['push', FILE, '--otlp', `http://127.0.0.1:${port}`],
    ['push', FILE, '--pyroscope', `http://127.0.0.1:${port}`],
  ];
  for (const refuses of [true, false]) {
    isRefusing = refuses;
    for (const command of commands) {
      const { status, stdout, stderr } = await runCli(command, { terminal: true });
      expect(shown(stdout + stderr), command.join(' ')).toEqual([]);
      expect(status === 0, `${command.join(' ')}: ${stderr}`).toBe(!refuses);
    }
  }
  // It was sent, and is in no file.
  expect(sent).toContain(IN_HEADER);
  expect(readdirSync(out)).toHaveLength(3);
  expect(shown(stored(settings) + stored(out))).toEqual([]);
});
