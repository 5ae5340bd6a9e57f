import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { assert } from '../../../shared/assert.ts';
import { addToDataset, madeSamples } from '../../support/made-fleet.ts';
import { cliOutput } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testSeed } from '../../support/test-seed.ts';
import { testUnless } from '../../support/test-unless.ts';

/** The part of chdb, ClickHouse in a process, that is used. */
interface Chdb {
  readonly Session: new (path?: string) => { query(sql: string): string; cleanup(): void };
}

const { randomFor } = testSeed('chdb');

/** chdb has 546 MB, so that it is no dependency: `npm install --no-save chdb` for this test. */
function loadChdb(): Chdb | undefined {
  try {
    return createRequire(import.meta.url)('chdb') as Chdb;
  } catch {
    return undefined;
  }
}

const chdb = loadChdb();

testUnless(chdb === undefined ? 'chdb is not installed: npm install --no-save chdb' : undefined)(
  'a present ClickHouse has the numbers of the dataset, by its own reading of the Parquet files',
  async () => {
    const dir = temporaryFolder();
    for (const host of ['web1', 'web2', "o'brien"])
      addToDataset(dir, madeSamples(randomFor(1), 'shop', host, 300), 60_000_000_000n);
    assert(chdb !== undefined, 'the test is skipped without it');
    const session = new chdb.Session(join(temporaryFolder(), 'clickhouse'));
    session.query('CREATE DATABASE fleet ENGINE = Atomic');
    for (const [table, files] of [
      ['samples', 'samples/*/*'],
      ['stacks', 'stacks'],
      ['frames', 'frames'],
    ])
      session.query(`CREATE VIEW fleet.${table} AS SELECT * FROM file('${dir}/${files}/part-*.parquet')`);
    const server = createServer((request, response) => {
      let sql = '';
      request.on('data', (bytes: Buffer) => (sql += bytes.toString()));
      request.on('end', () => {
        try {
          response.end(
            session.query(sql.replaceAll(/(?<= (?:FROM|IN) )(?=(?:samples|stacks|frames)\b)/g, 'fleet.')),
          );
        } catch (error) {
          response.writeHead(500).end(String(error));
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
      session.cleanup();
    });
    const address = `clickhouse://127.0.0.1:${(server.address() as AddressInfo).port}/fleet`;
    const lines = (text: string): string[] => text.trimEnd().split('\n').sort();
    for (const options of [
      ['export', '--format', 'tree'],
      ['export', '--format', 'tree', '--where', "host <> 'web1' AND pool = 'http-*'", '--per', 'host'],
      ['export', '--format', 'timeline', '--buckets', '24'],
      ['spread', '--per', 'hour'],
    ]) {
      const [command, ...others] = options;
      expect(lines(await cliOutput(command, address, ...others)), options.join(' ')).toEqual(
        lines(await cliOutput(command, dir, ...others)),
      );
    }
  },
);
