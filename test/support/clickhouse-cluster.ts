import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const SERVER = 'clickhouse-server';

/** Why there can be no cluster here; undefined: there can. */
export function noCluster(): string | undefined {
  if (process.env.LEANSCOPE_LONG === undefined) return 'only in npm run test:long';
  try {
    execFileSync('which', [SERVER]);
    return undefined;
  } catch {
    return `there is no ${SERVER}`;
  }
}

/** The server of one shard. */
export interface Shard {
  readonly http: number;
  start(): Promise<void>;
  kill(): Promise<void>;
}

/** Two servers of a cluster `pair` on this machine, which are stopped after the test. The users `reader` and `guest`, who can only read, have a password. */
export async function startCluster(password: string): Promise<readonly [Shard, Shard]> {
  const folder = temporaryFolder();
  const ports = await freePorts(6);
  const natives = [ports[1], ports[4]];
  const shards = [0, 1].map((at) => {
    const dir = join(folder, String(at));
    const [http, native, between] = ports.slice(at * 3, at * 3 + 3);
    writeConfiguration(dir, { http, native, between, natives, password });
    return shardIn(dir, http);
  });
  const [first, second] = shards;
  onTestFinished(async () => {
    for (const shard of shards) await shard.kill();
  });
  await Promise.all(shards.map(async (shard) => shard.start()));
  return [first, second];
}

function shardIn(dir: string, http: number): Shard {
  let server: ChildProcess | undefined;
  const shard: Shard = {
    http,
    start: async () => {
      server = spawn(SERVER, ['--config-file=config.xml'], { cwd: dir, stdio: 'ignore' });
      for (;;) {
        if (server.exitCode !== null) throw new Error(`${SERVER} ended with ${server.exitCode}`);
        if ((await run(shard, 'SELECT 1').catch(() => '')) === '1\n') return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    kill: async () => {
      const running = server;
      server = undefined;
      if (running?.exitCode !== null) return;
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGKILL');
      await ended;
    },
  };
  return shard;
}

/** The answer of a server to a statement, as text. Rejects where it is an error. */
export async function run({ http }: Pick<Shard, 'http'>, sql: string, rows?: string): Promise<string> {
  const url = `http://127.0.0.1:${http}/${rows === undefined ? '' : `?query=${encodeURIComponent(sql)}`}`;
  const response = await fetch(url, { method: 'POST', body: rows ?? sql });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(
    servers.map(async (server) => new Promise((resolve) => server.once('listening', resolve))),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(async (server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function writeConfiguration(
  dir: string,
  {
    http,
    native,
    between,
    natives,
    password,
  }: {
    readonly http: number;
    readonly native: number;
    readonly between: number;
    readonly natives: readonly number[];
    readonly password: string;
  },
): void {
  for (const name of ['data', 'tmp']) mkdirSync(join(dir, name), { recursive: true });
  const shards = natives.map(
    (port) => `<shard><replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`,
  );
  writeFileSync(
    join(dir, 'config.xml'),
    `<yandex>
      <logger><level>none</level></logger>
      <http_port>${http}</http_port><tcp_port>${native}</tcp_port>
      <interserver_http_port>${between}</interserver_http_port>
      <listen_host>127.0.0.1</listen_host>
      <path>${dir}/data/</path><tmp_path>${dir}/tmp/</tmp_path>
      <users_config>users.xml</users_config>
      <default_profile>default</default_profile><default_database>default</default_database>
      <mark_cache_size>5368709</mark_cache_size>
      <remote_servers><pair>${shards.join('')}</pair></remote_servers>
    </yandex>`,
  );
  const user = (name: string, secret: string, profile = 'default'): string =>
    `<${name}><password>${secret}</password><networks><ip>127.0.0.1</ip></networks><profile>${profile}</profile><quota>default</quota></${name}>`;
  writeFileSync(
    join(dir, 'users.xml'),
    `<yandex>
      <profiles><default><max_memory_usage>1000000000</max_memory_usage></default><looking><readonly>1</readonly></looking></profiles>
      <users>${user('default', '')}${user('reader', password)}${user('guest', password, 'looking')}</users>
      <quotas><default></default></quotas>
    </yandex>`,
  );
}
