import { spawn } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openClickHouse } from '../../../electron/fleet/clickhouse.ts';
import { fleetBytes } from '../../../electron/fleet/fleet-source.ts';
import { rowsOf } from '../../../electron/fleet/fleet-profile.ts';
import { useBuiltProgram } from '../../support/built-program.ts';
import { runCli } from '../../support/run-cli.ts';
import { testUnless } from '../../support/test-unless.ts';

useBuiltProgram();

/** Serves on this machine until the test ends; resolves to its address. */
async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `clickhouse://reader@127.0.0.1:${(server.address() as AddressInfo).port}/db`;
}

/** The sentence about a server that cannot be asked. */
async function problemOf(address: string): Promise<string> {
  const { status, stdout, stderr } = await runCli(['top', address]);
  expect([status, stdout]).toEqual([1, '']);
  return stderr.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
}

test('numbers, texts, lists, times and nothing are read as ClickHouse writes them', async () => {
  const answer = [
    'id\tname\tlist\ttexts\tsmall\ttime\tnothing',
    'Int64\tString\tArray(Int64)\tArray(String)\tUInt8\tDateTime64(9)\tNullable(Int64)',
    "-9007199254740993\ta\\tb\\n\\'\\\\\t[1,-2]\t['a','b\\'c']\t7\t2026-11-28 10:00:00.000000001\t\\N",
    '',
  ].join('\n');
  const address = await served((_, response) => response.end(answer));
  const engine = openClickHouse(address);
  expect(await rowsOf(engine, 'SELECT 1')).toEqual([
    [-9007199254740993n, "a\tb\n'\\", BigInt64Array.of(1n, -2n), ['a', "b'c"], 7, 1795860000000000001n, null],
  ]);
  await engine.close();
});

test('a server that is away, refuses, breaks off or answers nonsense is one sentence, without the password', async () => {
  vi.stubEnv('CLICKHOUSE_PASSWORD', 'kept-out-of-sight');
  onTestFinished(() => void vi.unstubAllEnvs());
  const HEAD = 'type\tunit\ttotal\tfirst\tlast\nString\tString\tInt64\tInt64\tInt64\n';
  const cases: readonly (readonly [RequestListener, RegExp])[] = [
    [
      (_, response) =>
        response.writeHead(403).end('Code: 192, e.displayText() = DB::Exception: Unknown user reader'),
      /Unknown user reader/,
    ],
    [
      (_, response) => response.writeHead(403).end('Code: 516, wrong password kept-out-of-sight'),
      /wrong password …/,
    ],
    [(_, response) => response.end(`${HEAD}kept-out-of-sight\n`), /answers with something else: …/],
    [(_, response) => response.end('<html>Welcome to nginx</html>'), /does not answer as ClickHouse does/],
    [(_, response) => response.end(`${HEAD}cpu\tns\t12\n`), /broke off in the middle/],
    [
      (_, response) => {
        response.write(`${HEAD}cpu\tns\t12\t1\t2\n`);
        setImmediate(() => response.destroy());
      },
      /broke off its answer/,
    ],
    [(_, response) => response.destroy(), /broke off its answer/],
    [(_, response) => response.writeHead(301, { location: '/' }).end(), /does not answer as ClickHouse does/],
  ];
  for (const [listener, expected] of cases) {
    const problem = await problemOf(await served(listener));
    expect(problem).toMatch(/^clickhouse:\/\/HOST\/db: [^\n]*\n$/);
    expect(problem).toMatch(expected);
    expect(problem).not.toContain('kept-out-of-sight');
  }
  expect(await problemOf('clickhouse://reader@127.0.0.1:1/db')).toBe(
    'clickhouse://HOST/db: does not answer: nothing listens there\n',
  );
  const plain = await served((_, response) => response.end());
  expect(await problemOf(plain.replace('clickhouse:', 'clickhouses:'))).toBe(
    'clickhouses://HOST/db: does not speak TLS there: is clickhouse:// meant?\n',
  );
  expect(await problemOf('clickhouse:///db')).toContain('the address is not clickhouse://USER@HOST');
});

test('a server that says nothing is given up', async () => {
  const engine = openClickHouse(await served(() => undefined), { silenceMs: 50 });
  await expect(engine.query('SELECT 1')).rejects.toThrow('does not answer in time');
  await engine.close();
});

test('a server that stalls within its answer, and one that answers without end, are given up', async () => {
  const head = 'stack\tsamples\nString\tInt64\n';
  const stalling = openClickHouse(await served((_, response) => void response.write(`${head}a.A.run\t1\n`)), {
    silenceMs: 200,
  });
  await expect(rowsOf(stalling, 'SELECT 1')).rejects.toThrow(/does not answer in time|broke off its answer/);
  await stalling.close();
  const endless = await served((_, response) => {
    response.write(head);
    const row = `${'a.A.run;'.repeat(1000)}\t1\n`;
    const more = (): void => {
      while (response.write(row));
    };
    response.on('drain', more);
    more();
  });
  const engine = openClickHouse(endless, { mostBytes: 1e6 });
  await expect(rowsOf(engine, 'SELECT 1')).rejects.toThrow('answers with more than 1.0 MB: ask for less');
  await engine.close();
  const question = { where: undefined, per: 'pool', sql: 'SELECT 1', order: 'leaf' } as const;
  const silent = await served(() => undefined);
  await expect(fleetBytes(silent, question, {}, false, { longestMs: 50 })).rejects.toThrow(
    'has not answered in 50.0 ms: ask for less with --where',
  );
});

test('a password in the address, and a table that is no name, are refused', async () => {
  const { stderr } = await runCli(['top', 'clickhouse://reader:secret@127.0.0.1:1/db']);
  expect(stderr).toContain('set CLICKHOUSE_PASSWORD instead');
  expect(stderr).not.toContain('secret');
  expect((await runCli(['top', 'clickhouse://127.0.0.1:1/db?samples=a;drop'])).stderr).toContain(
    "'a;drop' is not the name of a table",
  );
});

test('the password is that of the environment, and the tables those of the address', async () => {
  vi.stubEnv('CLICKHOUSE_PASSWORD', 'kept-out-of-sight');
  onTestFinished(() => void vi.unstubAllEnvs());
  const asked: string[] = [];
  const address = await served((request, response) => {
    const { authorization = '' } = request.headers;
    expect(Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()).toBe(
      'reader:kept-out-of-sight',
    );
    request.on('data', (bytes: Buffer) => asked.push(String(bytes)));
    request.on('end', () =>
      response.end('type\tunit\ttotal\tfirst\tlast\nString\tString\tInt64\tInt64\tInt64\n'),
    );
  });
  expect(await problemOf(`${address}?samples=profiling.samples`)).toBe(
    'clickhouse://HOST/db: has no samples\n',
  );
  expect(asked.join('')).toContain('FROM profiling.samples');
});

interface AskedQuery {
  readonly id: string;
  readonly query: string;
}

/** A server that tells what it was asked. */
async function asking(
  answer: (query: string) => string | undefined,
): Promise<{ readonly address: string; readonly asked: readonly AskedQuery[] }> {
  const asked: AskedQuery[] = [];
  const address = await served((request, response) => {
    let query = '';
    request.on('data', (bytes: Buffer) => (query += String(bytes)));
    request.on('end', () => {
      const { searchParams } = new URL(request.url ?? '', 'http://server');
      asked.push({ id: searchParams.get('query_id') ?? '', query });
      const text = answer(query);
      if (text?.startsWith('Code:') === true) response.statusCode = 500;
      if (text !== undefined) response.end(text);
    });
  });
  return { address, asked };
}

const ANSWER = 'stack\tsamples\nString\tInt64\na\t1\n';
const QUESTION = { where: undefined, per: 'pool', order: 'leaf' } as const;

test('a query that is given up is ended in the server, also in the middle of its answer, and no other one is', async () => {
  const { address, asked } = await asking((query) =>
    query.startsWith('KILL')
      ? ''
      : query.includes('never')
        ? undefined
        : query.includes('wrong')
          ? 'Code: 62. DB::Exception: Syntax error'
          : ANSWER,
  );
  const killed = (): string[] => asked.map(({ query }) => query).filter((query) => query.startsWith('KILL'));
  await fleetBytes(address, { ...QUESTION, sql: 'SELECT 1' }, {}, false);
  await expect(fleetBytes(address, { ...QUESTION, sql: 'wrong' }, {}, false)).rejects.toThrow('Syntax error');
  expect(killed()).toEqual([]);
  await expect(
    fleetBytes(address, { ...QUESTION, sql: 'SELECT never' }, {}, false, { longestMs: 50 }),
  ).rejects.toThrow('has not answered in 50.0 ms');
  const { id } = asked.find(({ query }) => query.includes('never'))!;
  expect(killed()).toEqual([`KILL QUERY WHERE query_id = '${id}' ASYNC`]);
  const silent = openClickHouse(address, { silenceMs: 50 });
  await expect(silent.query('SELECT never again')).rejects.toThrow('does not answer in time');
  const large = openClickHouse(address, { mostBytes: 3 });
  await expect(rowsOf(large, 'SELECT much')).rejects.toThrow('answers with more than');
  await Promise.all([silent.close(), large.close()]);
  const ids = asked.filter(({ query }) => /again|much/.test(query)).map((each) => each.id);
  expect(killed().slice(1).sort()).toEqual(
    ids.map((each) => `KILL QUERY WHERE query_id = '${each}' ASYNC`).sort(),
  );
  expect(new Set(asked.map((each) => each.id)).size).toBe(asked.length);
});

testUnless(process.platform === 'win32' ? 'Windows has no signals' : undefined)(
  'a command that is interrupted ends its query in the server first',
  async () => {
    const { address, asked } = await asking((query) => (query.startsWith('KILL') ? '' : undefined));
    const command = spawn(process.execPath, [
      'dist/electron/cli.cjs',
      'top',
      address,
      '--sql',
      'SELECT never',
    ]);
    await vi.waitFor(() => expect(asked).toHaveLength(1), 20_000);
    const ended = new Promise((resolve) => command.once('exit', (_, signal) => resolve(signal)));
    command.kill('SIGINT');
    expect(await ended).toBe('SIGINT');
    expect(asked.map(({ query }) => query.split('\n')[0].trim())).toEqual([
      'SELECT never',
      `KILL QUERY WHERE query_id = '${asked[0].id}' ASYNC`,
    ]);
  },
);
