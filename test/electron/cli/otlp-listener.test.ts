import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listenForOtlp, OTLP_PATH } from '../../../electron/cli/otlp-listener.ts';
import { decodeOtlp } from '../../support/otlp-proto.ts';
import { withLines } from '../../support/pprof-reading.ts';
import { foldedLines, stacksOf } from '../../support/profile-stacks.ts';
import { readInput } from '../../support/read-input.ts';
import { goldenLog, goldenPath } from '../../support/read-log.ts';
import { runCli } from '../../support/run-cli.ts';
import { message, otlpProfile, otlpSeries } from '../../support/small-otlp.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { WatchedLog } from '../../support/watched-log.ts';

const TOKEN = 'a-token';
const TYPE = { 'content-type': 'application/x-protobuf' };
const KNOWN = { ...TYPE, authorization: `Bearer ${TOKEN}` };

async function listening(needsToken = true) {
  const token = needsToken ? TOKEN : undefined;
  const folder = temporaryFolder();
  const services: string[] = [];
  const listener = await listenForOtlp({ port: 0, token, folder, onService: (path) => services.push(path) });
  onTestFinished(() => listener.close());
  const url = `http://127.0.0.1:${listener.port}${OTLP_PATH}`;
  const send = async (
    body: Uint8Array,
    headers: Record<string, string> = KNOWN,
    path = OTLP_PATH,
    method = 'POST',
  ) => {
    const response = await fetch(`http://127.0.0.1:${listener.port}${path}`, {
      method,
      headers,
      ...(method === 'POST' ? { body: new Uint8Array(body) } : {}),
    });
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  };
  return { folder, services, listener, url, send };
}

const stacks = (input: Uint8Array, weight: 'count' | 'value' = 'count'): string[] =>
  foldedLines(stacksOf(readInput(input).profile), withLines, weight);
const doubled = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/\d+$/, (count) => String(2 * Number(count))));

test.each(['range', 'values', 'links'] as const)(
  'profiles of the generation %s are collected in a file, message after message, and read as their sum',
  async (form) => {
    const { services, send } = await listening();
    for (const headers of [KNOWN, { ...KNOWN, 'content-encoding': 'gzip' }]) {
      const body = 'content-encoding' in headers ? gzipSync(otlpProfile(form)) : otlpProfile(form);
      const { status, body: answer } = await send(body, headers);
      expect([status, decodeOtlp('ExportProfilesServiceResponse', answer)]).toEqual([
        200,
        { partialSuccess: null },
      ]);
    }
    expect(services.map((path) => basename(path))).toEqual(['unknown_service.otlp']);
    expect(statSync(services[0]).mode & 0o777).toBe(0o600);
    const collected = readFileSync(services[0]);
    expect(collected).toEqual(otlpSeries([otlpProfile(form), otlpProfile(form)]));
    expect(readInput(collected).format).toBe('otlp-series');
    expect(stacks(collected)).toEqual(doubled(stacks(otlpProfile(form))));
  },
);

/** Profiles of several services over one dictionary. */
function ofServices(...names: readonly string[]): Uint8Array {
  const plain = otlpProfile('links');
  // The two fields of the message: profiles without a resource, and the dictionary.
  const profiles = plain.subarray(0, plain.length);
  const resourceOf = (name: string): Uint8Array =>
    message([1, message([1, message([1, 'service.name'], [2, message([1, name])])])]);
  const first = firstField(profiles);
  return Buffer.concat([
    ...names.map((name) => message([1, Buffer.concat([resourceOf(name), first.content])])),
    profiles.subarray(first.end),
  ]);
}

function firstField(bytes: Uint8Array): { readonly content: Uint8Array; readonly end: number } {
  let [at, length, shift] = [1, 0, 0];
  do {
    length |= (bytes[at] & 0x7f) << shift;
    shift += 7;
  } while (bytes[at++] >= 0x80);
  return { content: bytes.subarray(at, at + length), end: at + length };
}

test('each service has a file of its own, whatever it is called', async () => {
  const { folder, services, send } = await listening();
  const names = ['shop', '../../etc/passwd', 'Shop', '', 'shop'];
  expect((await send(ofServices(...names))).status).toBe(200);
  expect(services.map((path) => basename(path))).toEqual([
    'shop.otlp',
    '__.._etc_passwd.otlp',
    'Shop-2.otlp',
    'unknown_service.otlp',
  ]);
  expect(readdirSync(folder).length).toBe(4);
  expect(stacks(readFileSync(join(folder, 'shop.otlp')))).toEqual(doubled(stacks(otlpProfile('links'))));
  expect(stacks(readFileSync(join(folder, 'Shop-2.otlp')))).toEqual(stacks(otlpProfile('links')));
});

test('more services than tabs are said to be left out', async () => {
  const { services, send } = await listening();
  const { status, body } = await send(ofServices(...Array.from({ length: 53 }, (_, at) => `s${at}`)));
  expect([status, services.length]).toEqual([200, 50]);
  expect(decodeOtlp('ExportProfilesServiceResponse', body)).toEqual({
    partialSuccess: { rejectedProfiles: '3', errorMessage: 'more than 50 services' },
  });
});

test('who does not know the token, or is not of this machine, is refused, and nothing is kept', async () => {
  const { folder, listener, send } = await listening();
  const good = otlpProfile('links');
  const answers: (readonly [Promise<{ status: number }>, number])[] = [
    [send(good, TYPE), 401],
    [send(good, { ...TYPE, authorization: 'Bearer another' }), 401],
    [send(good, { ...KNOWN, origin: 'https://site.example' }), 403],
    [send(good, KNOWN, '/v1/traces'), 404],
    [send(good, KNOWN, OTLP_PATH, 'GET'), 405],
    [send(good, { ...KNOWN, 'content-type': 'application/json' }), 415],
    [send(good, { ...KNOWN, 'content-encoding': 'br' }), 415],
    [send(good, { ...KNOWN, 'content-encoding': 'gzip' }), 400],
    [send(gzipSync(good).subarray(0, 50), { ...KNOWN, 'content-encoding': 'gzip' }), 400],
    [send(gzipSync(Buffer.alloc(70 << 20)), { ...KNOWN, 'content-encoding': 'gzip' }), 413],
    [send(good.subarray(0, 60)), 400],
    [send(Buffer.from('no profile at all')), 400],
  ];
  for (const [sent, status] of answers) expect((await sent).status).toBe(status);
  const foreign = await new Promise<number | undefined>((resolve) => {
    const sent = request({
      port: listener.port,
      path: OTLP_PATH,
      method: 'POST',
      headers: { ...KNOWN, host: 'evil.example' },
    });
    sent.on('response', ({ statusCode }) => resolve(statusCode));
    sent.end(good);
  });
  expect(foreign).toBe(403);
  expect(readdirSync(folder)).toEqual([]);
  expect((await send(good)).status).toBe(200);
});

test('a sender that breaks off leaves nothing, and without a token everybody on this machine may send', async () => {
  const { folder, listener } = await listening(false);
  const socket = connect(listener.port, '127.0.0.1');
  socket.write(
    `POST ${OTLP_PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-protobuf\r\nContent-Length: 900\r\n\r\nab`,
  );
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.destroy();
  const open = await listening(false);
  expect((await open.send(otlpProfile('values'), TYPE)).status).toBe(200);
  expect(readdirSync(folder)).toEqual([]);
});

test('what leanscope push sends is what export writes', async () => {
  const { services, url } = await listening();
  vi.stubEnv('LEANSCOPE_PUSH_TOKEN', TOKEN);
  onTestFinished(() => void vi.unstubAllEnvs());
  const log = goldenPath('hello');
  expect(await runCli(['push', log, '--otlp', url])).toMatchObject({ status: 0, stderr: '' });
  expect(basename(services[0])).toBe('hello.otlp');
  const samples = (bytes: Uint8Array): number => readInput(bytes).aggregator.sampleCount;
  expect(samples(readFileSync(services[0]))).toBe(samples(goldenLog('hello')));
});

test('a view keeps still while profiles arrive: rows stay, and only what is new is added', async () => {
  const { services, send } = await listening();
  await send(otlpProfile('links'));
  const watched = new WatchedLog(services[0]);
  await watched.clock.pass(200);
  const { nodes } = watched.copy.profile;
  const before = { parents: [...nodes.parent.subarray(0, nodes.length)], samples: watched.status.samples };
  expect([watched.state, before.samples]).toEqual(['live', 5]);
  await watched.clock.pass(5_000);
  for (const form of ['links', 'range', 'values'] as const) {
    await send(otlpProfile(form));
    await watched.clock.pass(300);
  }
  expect(watched.status.samples).toBe(20);
  expect(watched.status.epoch).toBe(0);
  const after = watched.copy.profile.nodes;
  expect([...after.parent.subarray(0, before.parents.length)]).toEqual(before.parents);
  // The generations have the same stacks, and so the same rows.
  expect(after.length).toBe(before.parents.length);
  watched.session.receive({ type: 'choose', chosen: { 'sample-type': 'cpu-nanoseconds' } });
  await watched.clock.pass(3_000);
  expect(watched.status.choices[0]).toMatchObject({ chosen: 'cpu-nanoseconds' });
  expect(existsSync(services[0])).toBe(true);
});
