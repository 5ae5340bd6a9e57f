/** ClickHouse, a server or a cluster, over HTTP. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { type Cell, type FleetAnswer, type FleetEngine, FleetError } from './fleet-engine.ts';
import { formatBytes } from '../../shared/text/format-value.ts';
import { NO_ADDRESS, urlOf } from './fleet-address.ts';
import { TABLE_NAMES } from './tables.ts';
import { errorMessage } from '../../shared/text/error-message.ts';

const NO_ANSWER = 'does not answer as ClickHouse does: is it its HTTP port?';
/** A server that says nothing for so long does not answer. */
const SILENCE_MS = 60_000;
/** A server that is busy may take so long to be told that a query is given up. */
const KILL_MS = 2_000;
/** Bytes of an answer: 10 million stacks are some 4 GB as text. */
const MOST_BYTES = 4 * 2 ** 30;

/**
 * A server by its address, `clickhouse://user@host:8123/db?samples=samples&stacks=stacks&frames=frames`: the names of
 * tables are those of a dataset where they are not given. `clickhouses` is HTTPS. The password is that of the environment,
 * CLICKHOUSE_PASSWORD. Throws FleetError.
 */
export function openClickHouse(
  address: string,
  {
    env = process.env,
    silenceMs = SILENCE_MS,
    mostBytes = MOST_BYTES,
  }: { readonly env?: NodeJS.ProcessEnv; readonly silenceMs?: number; readonly mostBytes?: number } = {},
): FleetEngine {
  const { protocol, host, username, pathname, searchParams } = urlOf(address);
  if (host === '') throw new FleetError(NO_ADDRESS);
  const [samples, stacks, frames] = TABLE_NAMES.map((name) => identifier(searchParams.get(name) ?? name));
  const password = env.CLICKHOUSE_PASSWORD ?? '';
  const user = decodeURIComponent(username) || 'default';
  const header = Buffer.from(`${user}:${password}`).toString('base64');
  const secrets = password === '' ? [] : [password, header];
  // A server may repeat what it was sent.
  const said: Said = (text, most) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text).slice(0, most);
  const client = createClient({
    url: `${protocol === 'clickhouses:' ? 'https' : 'http'}://${host}`,
    database: pathname.slice(1) || 'default',
    username: user,
    password,
    request_timeout: silenceMs,
    log: { level: ClickHouseLogLevel.OFF },
  });
  const interrupted = new AbortController();
  /** Queries that the server may still be busy with. */
  const running = new Set<string>();
  const kill = async (id: string): Promise<void> => {
    const query = `KILL QUERY WHERE query_id = '${id}' ASYNC`;
    const told = client.command({ query }).then(
      () => undefined,
      () => undefined,
    );
    await Promise.race([told, pause(KILL_MS, undefined, { ref: false })]);
  };
  return {
    tables: { samples, stacks, frames },
    // The tables may be Distributed: the servers get the result of the subquery instead of asking each other for it.
    inWord: 'GLOBAL IN',
    // `time` is a number of ns, or a time, which is a number of seconds then.
    hour: "formatDateTime(toDateTime(if(toTypeName(time) LIKE '%Int64%', intDiv(toUInt64(time), 1000000000), toUInt64(time))), '%Y-%m-%d %H:00', 'UTC')",
    text: (content) => `'${content.replaceAll(/['\\]/g, '\\$&')}'`,
    // A table of its own needs the right to make one: the servers sum again.
    keep: (sql) => Promise.resolve(`(${sql})`),
    query: async (sql) => {
      const id = randomUUID();
      running.add(id);
      const format = 'TabSeparatedWithNamesAndTypes';
      const result = await client
        .query({ query: sql, format, query_id: id, abort_signal: interrupted.signal })
        .catch((error: unknown) => {
          if (!isGivenUp(error)) running.delete(id);
          return rethrow(error, said);
        });
      const lines = linesOf(result.stream() as Pieces, mostBytes, said, () => running.delete(id));
      return answer(lines, said);
    },
    interrupt: () => interrupted.abort(),
    close: async () => {
      await Promise.all(Array.from(running, kill));
      await client.close();
    },
  };
}

type Pieces = AsyncIterable<readonly { readonly text: string }[]>;

/** Whether a server may go on with a query that has no answer. */
function isGivenUp(error: unknown): boolean {
  return codeOf(error) === 'ECONNRESET' || /timeout|abort|hang up/i.test(errorMessage(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The beginning of a text of the server, without the password. */
type Said = (text: string, most: number) => string;

/** A name of a table in SQL. Throws FleetError for one that is none. */
function identifier(name: string): string {
  if (/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)?$/.test(name)) return name;
  throw new FleetError(`'${name}' is not the name of a table`);
}

async function* linesOf(
  pieces: Pieces,
  mostBytes: number,
  said: Said,
  onEnd: () => void,
): AsyncGenerator<readonly string[]> {
  let bytes = 0;
  try {
    for await (const rows of pieces) {
      const texts = rows.map(({ text }) => text);
      for (const text of texts) bytes += text.length;
      if (bytes > mostBytes)
        throw new FleetError(`answers with more than ${formatBytes(mostBytes)}: ask for less with --where`);
      yield texts;
    }
    onEnd();
  } catch (error) {
    rethrow(error, said);
  }
}

/** The answer in its lines: names, types, then a line for each row. */
async function answer(lines: AsyncGenerator<readonly string[]>, said: Said): Promise<FleetAnswer> {
  let pending: readonly string[] = [];
  while (pending.length < 2) {
    const next = await lines.next();
    if (next.done === true) throw new FleetError(NO_ANSWER);
    pending = [...pending, ...next.value];
  }
  const [names, types, ...first] = pending;
  const readers = types.split('\t').map(readerOf);
  const columnsOf = (rows: readonly string[]): readonly (readonly Cell[])[] => {
    const cells = rows.map((row) => row.split('\t'));
    const wrong = cells.find((row) => row.length !== readers.length);
    if (wrong !== undefined)
      throw new FleetError(
        `broke off in the middle of its answer, or answers with something else: ${said(wrong[0], 200)}`,
      );
    return readers.map((read, column) => cells.map((row) => read(row[column])));
  };
  async function* batches(): AsyncGenerator<readonly (readonly Cell[])[]> {
    if (first.length > 0) yield columnsOf(first);
    for await (const rows of lines) yield columnsOf(rows);
  }
  return { columns: names.split('\t').map(unescaped), batches: batches() };
}

/** The reader of the texts of a column, by its type. */
function readerOf(type: string): (text: string) => Cell {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(type)?.[1];
  if (inner !== undefined) {
    const read = readerOf(inner);
    return (text) => (text === '\\N' ? null : read(text));
  }
  const element = /^Array\((.*)\)$/.exec(type)?.[1];
  if (element !== undefined) return element.includes('Int') ? numbersOf : textsOf;
  if (/^U?Int(64|128|256)$/.test(type)) return BigInt;
  if (/^(U?Int|Float)/.test(type)) return Number;
  if (type.startsWith('DateTime')) return timeOf;
  return unescaped;
}

function numbersOf(text: string): BigInt64Array {
  return BigInt64Array.from(text === '[]' ? [] : text.slice(1, -1).split(','), BigInt);
}

/** `['a','b\'c']` */
function textsOf(text: string): readonly string[] {
  return [...text.matchAll(/'((?:[^'\\]|\\.)*)'/gs)].map(([, inner]) => unescaped(inner));
}

/** ns since 1970 of `2026-11-28 10:00:00.123456789`, in UTC. */
function timeOf(text: string): bigint {
  const [seconds, fraction = ''] = unescaped(text).split('.');
  return BigInt(Date.parse(`${seconds.replace(' ', 'T')}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

const ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', 0: '\0' };

function unescaped(text: string): string {
  return text.includes('\\') ? text.replaceAll(/\\(.)/gs, (_, sign: string) => ESCAPES[sign] ?? sign) : text;
}

/** The error of a server as its first line, without the version below it. */
function rethrow(error: unknown, said: Said): never {
  if (error instanceof FleetError) throw error;
  const [line] = errorMessage(error).split('\n');
  const code = codeOf(error);
  if (code === 'ECONNREFUSED') throw new FleetError('does not answer: nothing listens there');
  if (code === 'ENOTFOUND') throw new FleetError('there is no such host');
  if (code === 'EPROTO') throw new FleetError('does not speak TLS there: is clickhouse:// meant?');
  if (/timeout/i.test(line)) throw new FleetError('does not answer in time: ask for less with --where');
  if (code === 'ECONNRESET' || /^aborted$|hang up/.test(line))
    throw new FleetError('broke off its answer: ask again, or for less with --where');
  if (line === '') throw new FleetError(NO_ANSWER);
  throw new FleetError(said(line, 500));
}
