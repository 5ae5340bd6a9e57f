import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OpenLog } from '../../../electron/host/open-log.ts';
import type { LogId } from '../../../shared/protocol/messages.ts';
import { useLogWorker } from '../../support/built-worker.ts';
import { fleetAddress, fleetName, fleetOf, fleetPlace } from '../../../electron/fleet/fleet-address.ts';
import { filesOf, isFilePath, isOpened } from '../../../electron/desktop/opened-files.ts';
import { addToDataset, madeSamples } from '../../support/made-fleet.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testSeed } from '../../support/test-seed.ts';
import { waitFor } from '../../support/wait-for.ts';
import { WatchedLog } from '../../support/watched-log.ts';

const { randomFor } = testSeed('fleet-log');
const workerUrl = useLogWorker();

/** A dataset of two hosts with 300 samples. */
function dataset(): string {
  const dir = join(temporaryFolder(), 'a fleet');
  for (const [at, host] of ['web1', 'web2'].entries())
    addToDataset(dir, madeSamples(randomFor(at), 'shop', host, 100 + 100 * at), undefined);
  return dir;
}

test('a question is an address, and names no password', () => {
  const asked = { where: "host = 'web1' & 1 = 1", per: 'host', sql: undefined, order: 'root' } as const;
  const dir = temporaryFolder();
  const address = fleetAddress(dir, asked);
  expect(fleetOf(address)).toEqual({ path: dir, options: asked });
  expect(fleetPlace(address).name).toMatch(/^leanscope-\w+ host = 'web1' & 1 = 1$/);
  const server = 'clickhouse://reader@db:8123/profiling?samples=s';
  expect(fleetOf(fleetAddress(server, asked))).toEqual({ path: server, options: asked });
  expect(fleetName(server)).toBe('clickhouse://db:8123/profiling');
  expect(() => fleetAddress('clickhouse://reader:sesame@db/profiling')).toThrow(/CLICKHOUSE_PASSWORD/);
  expect(fleetName('clickhouse://reader:ses@me@db/profiling')).toBe('clickhouse://db/profiling');
  // The command line may open it, and a page may not.
  expect(filesOf(['--', address, 'a.hpl'], '/logs')).toEqual([address, '/logs/a.hpl']);
  expect([isOpened(address), isFilePath(address)]).toEqual([true, false]);
});

test('a dataset is a log: its answer, and another one for other choices', async () => {
  const watched = new WatchedLog(fleetAddress(dataset(), { per: 'pool' }), { follow: false });
  await watched.whenDone;
  expect(watched.status).toMatchObject({ state: 'idle', samples: 300, formatName: 'dataset' });
  const { choices } = watched.status;
  expect(choices.map(({ id, chosen }) => [id, chosen])).toEqual([
    ['sample-type', 'cpu'],
    ['per', 'pool'],
  ]);
  const names = (): readonly (string | undefined)[] => watched.copy.profile.threads.name.toSorted();
  expect(names()).toEqual(['GC Thread#*', 'http-*', 'main']);
  watched.session.receive({ type: 'choose', chosen: { per: 'host' } });
  await waitFor(() => watched.status.epoch === 1 && watched.state.startsWith('idle'), 'hosts');
  expect(watched.status.samples).toBe(300);
  expect(watched.status.choices.find(({ id }) => id === 'per')?.chosen).toBe('host');
  expect(names()).toEqual(['web1', 'web2']);
});

test('what a dataset refuses is a sentence, and it is asked again', async () => {
  const dir = dataset();
  const watched = new WatchedLog(fleetAddress(dir, { where: "host = 'web3'" }), { follow: false });
  await watched.whenDone;
  expect(watched.status).toMatchObject({
    state: 'failed',
    detail: `${dir}: no sample fulfils the condition host = 'web3'.`,
    samples: 0,
  });
  addToDataset(dir, madeSamples(randomFor(3), 'shop', 'web3', 50), undefined);
  watched.session.receive({ type: 'choose', chosen: {} });
  await waitFor(() => watched.status.samples === 50, 'web3');
});

test('a log that is stopped while it asks says so to the database', async () => {
  const asked: string[] = [];
  const database = createServer((request, response) => {
    let query = '';
    request.on('data', (bytes: Buffer) => (query += String(bytes)));
    request.on('end', () => {
      asked.push(query.split('\n')[0].trim());
      if (query.startsWith('KILL')) response.end();
    });
  });
  await new Promise<void>((resolve) => database.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    database.closeAllConnections();
    database.close();
  });
  const { port } = database.address() as AddressInfo;
  const address = fleetAddress(`clickhouse://reader@127.0.0.1:${port}/db`, { sql: 'SELECT 1' });
  const log = new OpenLog({
    description: { id: 0 as LogId, name: 'db', folder: '' },
    worker: { path: address, follow: false },
    startThread: () => new Worker(workerUrl()),
    now: () => 0,
    onStatus: () => undefined,
    onDelta: () => undefined,
  });
  await vi.waitFor(() => expect(asked).toEqual(['SELECT 1']), 20_000);
  await log.close();
  expect(asked).toEqual(['SELECT 1', expect.stringMatching(/^KILL QUERY WHERE query_id = '/)]);
});
