import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Profile } from 'pprof-format';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toOtlp } from '../../../electron/cli/push-command.ts';
import { UNBOUNDED } from '../../../shared/engine/values/time-range.ts';
import type { ExportInput } from '../../../shared/export/export-input.ts';
import { SAMPLES_AND_TIME } from '../../../shared/profile/profile-units.ts';
import { sampleSpan } from '../../../shared/profile/sample-table.ts';
import { answer, collector } from '../../support/collector.ts';
import { decodeOtlp, encodeOtlp } from '../../support/otlp-proto.ts';
import { foldedLines, stacksOf } from '../../support/profile-stacks.ts';
import { withLines } from '../../support/pprof-reading.ts';
import { goldenPath } from '../../support/read-log.ts';
import { readInput } from '../../support/read-input.ts';
import { cliOutput, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LOG = goldenPath('hello');
const push = (...argv: readonly string[]) => runCli(['push', LOG, ...argv]);

const NAMES = ['LEANSCOPE_PUSH_TOKEN', 'LEANSCOPE_PUSH_USER', 'LEANSCOPE_PUSH_PASSWORD'] as const;
beforeEach(() => NAMES.forEach((name) => vi.stubEnv(name, undefined)));
afterEach(() => vi.unstubAllEnvs());

/** Stacks with their counts, as `export` writes them in the same form. */
async function exported(format: string): Promise<Uint8Array> {
  let bytes = Buffer.alloc(0);
  await runCli(['export', LOG, '--format', format], {
    stdout: (piece) => void (bytes = Buffer.concat([bytes, Buffer.from(piece)])),
  });
  return bytes;
}
const stacks = (bytes: Uint8Array): string[] => foldedLines(stacksOf(readInput(bytes).profile), withLines);

test('a collector gets the profile once, as export writes it, packed, with the name of the service', async () => {
  const { url, got } = await collector(answer(200));
  const { status, stdout, stderr } = await push('--otlp', url, '--service', 'shop');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1development\/profiles: has taken shop, /);
  expect(got.length).toBe(1);
  const [{ method, headers, body, url: asked }] = got;
  expect([method, asked.pathname, headers['content-type'], headers['content-encoding']]).toEqual([
    'POST',
    '/v1development/profiles',
    'application/x-protobuf',
    'gzip',
  ]);
  const message = gunzipSync(body);
  expect(stacks(message)).toEqual(stacks(await exported('otlp')));
  expect(JSON.stringify(decodeOtlp('ProfilesData', message))).toContain(
    '"service.name","value":{"stringValue":"shop"}',
  );
});

const RECORDING = 'test/golden/jfr/shop-jdk17.jfr.gz';

test('a collector gets the times of samples: what it has taken has the timeline of the file', async () => {
  const { url, got } = await collector(answer(200));
  expect(await runCli(['push', RECORDING, '--otlp', url])).toMatchObject({ status: 0, stderr: '' });
  const path = join(temporaryFolder(), 'taken.otlp');
  writeFileSync(path, gunzipSync(got[0].body));
  const partsOf = async (file: string): Promise<unknown> =>
    (JSON.parse(await cliOutput('timeline', file, '--json')) as { parts: unknown }).parts;
  expect(await partsOf(path)).toEqual(await partsOf(RECORDING));
  const rowsOf = async (file: string): Promise<unknown> =>
    (JSON.parse(await cliOutput('top', file, '--json', '--limit', '1000')) as { rows: unknown }).rows;
  expect(await rowsOf(path)).toEqual(await rowsOf(RECORDING));
});

test('times that would make a message too large are left out, which is said', () => {
  const { profile } = readInput(gunzipSync(readFileSync(RECORDING)), {}, true);
  const { selfValues, samples } = profile;
  const { first, last } = sampleSpan(samples!)!;
  const input = {
    profile,
    units: SAMPLES_AND_TIME,
    facts: { lastTime: String(last), spanNs: String(last - first) },
    timed: () => ({
      samples: samples!,
      bounds: UNBOUNDED,
      leaves: selfValues.node.slice(0, selfValues.length),
    }),
  } as unknown as ExportInput;
  const sent = (most: number) => {
    const { body, note } = toOtlp(new URL('http://collector.example'), input, 'shop', most);
    const message = gunzipSync(body);
    return {
      note,
      bytes: message.length,
      stacks: stacks(message),
      times: readInput(message, {}, true).profile.samples!.length,
    };
  };
  const whole = sent(1 << 30);
  expect([whole.note, whole.times]).toEqual([undefined, samples!.length]);
  expect(sent(whole.bytes)).toEqual(whole);
  for (const most of [whole.bytes - 1, 1000])
    expect(sent(most)).toMatchObject({
      note: expect.stringMatching(/^times of samples are not sent: .* more than \d/) as string,
      stacks: whole.stacks,
      times: 0,
    });
});

test('Pyroscope gets a form with the profile and its sample types, and the times of the samples', async () => {
  const { url, got } = await collector(answer(200));
  expect(await push('--pyroscope', url)).toMatchObject({ status: 0, stderr: '' });
  const [{ url: asked, headers, body }] = got;
  expect(asked.pathname).toBe('/ingest');
  const { name, from, until, spyName } = Object.fromEntries(asked.searchParams);
  expect([name, spyName]).toEqual(['hello', 'leanscope']);
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': headers['content-type']! },
  }).formData();
  const part = async (field: string): Promise<Buffer> =>
    Buffer.from(await (form.get(field) as File).arrayBuffer());
  const { timeNanos, durationNanos } = Profile.decode(gunzipSync(await part('profile')));
  const [began, lasted] = [BigInt(timeNanos), BigInt(durationNanos)];
  expect([BigInt(from), BigInt(until)]).toEqual([began / 1_000_000_000n, (began + lasted) / 1_000_000_000n]);
  expect(began).toBeGreaterThan(0n);
  expect(gunzipSync(await part('profile'))).toEqual(Buffer.from(await exported('pprof')));
  expect(JSON.parse((await part('sample_type_config')).toString())).toEqual({
    samples: { units: 'samples', aggregation: 'sum' },
    time: { units: 'nanoseconds', aggregation: 'sum' },
  });
});

test('a server that has too much to do is asked again, and takes it once', async () => {
  const busy = answer(503, 'too much', { 'retry-after': '0' });
  const { url, got } = await collector(
    busy,
    answer(429, '', { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
    answer(200),
  );
  const { status, stderr } = await push('--otlp', `${url}/v1/profiles`);
  expect([status, got.length]).toEqual([0, 3]);
  expect(stderr).toBe(
    `${url}/v1/profiles: answers 503; trying again\n${url}/v1/profiles: answers 429; trying again\n`,
  );
  expect(new Set(got.map(({ body }) => body.toString('hex'))).size).toBe(1);
});

test('a server that is always busy, or wants more than a minute, is given up', async () => {
  const busy = await collector(answer(503, '', { 'retry-after': '0' }));
  expect(await push('--otlp', busy.url)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('has not taken the profile, status 503; push it again later') as string,
  });
  expect(busy.got.length).toBe(5);
  const slow = await collector(answer(429, '', { 'retry-after': '3600' }));
  expect((await push('--otlp', slow.url)).stderr).toContain('push it again later (Retry-After: 3600)');
  expect(slow.got.length).toBe(1);
});

test.each([
  [400, 'bad profile\nand more', /status 400: “bad profile”\n$/],
  [301, '', /status 301; name the address to which it refers/],
  [404, '<html>', /status 404; check the path of the address/],
  [401, '', /status 401; set LEANSCOPE_PUSH_TOKEN/],
  [500, '\u001b[2Jgone', /status 500: “\\x1b\[2Jgone”/],
])('a refusal with the status %i is said and not repeated', async (code, text, expected) => {
  const { url, got } = await collector(answer(code, text, { location: 'http://elsewhere.example' }));
  const { status, stdout, stderr } = await push('--otlp', url);
  expect([status, stdout, got.length]).toEqual([1, '', 1]);
  expect(stderr).toMatch(expected);
});

test('what a collector has not taken of it is said, in either form of its answer', async () => {
  const partly = (rejectedProfiles: number, errorMessage: string) =>
    encodeOtlp('ExportProfilesServiceResponse', { partialSuccess: { rejectedProfiles, errorMessage } });
  const some = await collector(answer(200, partly(1, 'no room')));
  expect(await push('--otlp', some.url)).toMatchObject({
    status: 3,
    stdout: '',
    stderr: expect.stringContaining('has refused 1 of 2 profiles: “no room”') as string,
  });
  const all = await collector(
    answer(200, JSON.stringify({ partialSuccess: { rejectedProfiles: '2' } }), {
      'content-type': 'application/json',
    }),
  );
  expect(await push('--otlp', all.url)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('has refused 2 of 2 profiles') as string,
  });
  const warning = await collector(answer(200, partly(0, 'old version')));
  expect(await push('--otlp', warning.url)).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('says: “old version”') as string,
  });
});

test('a server that breaks off or stalls after it has got the profile is not sent it again', async () => {
  const broken = await collector((response) => void response.destroy());
  const { status, stderr } = await push('--otlp', broken.url);
  expect([status, broken.got.length]).toEqual([1, 1]);
  expect(stderr).toMatch(
    /broke off while the profile was sent \(ECONNRESET\), and may have taken it; look there/,
  );
  const stalled = await collector(() => undefined);
  expect((await push('--otlp', stalled.url, '--timeout', '50ms')).stderr).toMatch(
    /\(no answer for 0\.05 s\), and may have taken it/,
  );
  expect(stalled.got.length).toBe(1);
});

test('a server that is not there is tried again, as nothing was sent', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const pushed = push('--otlp', `http://127.0.0.1:${port}`);
    let isOver = false;
    void pushed.finally(() => (isOver = true));
    while (!isOver) {
      await vi.advanceTimersByTimeAsync(20_000);
      await new Promise(setImmediate);
    }
    const { status, stderr } = await pushed;
    expect(status).toBe(1);
    expect(stderr).toMatch(/not reached \(ECONNREFUSED\); trying again in 1 s\n/);
    expect(stderr).toMatch(
      /not reached \(ECONNREFUSED\), 5 times; check the address, and that the server runs\n$/,
    );
  } finally {
    vi.useRealTimers();
  }
});

test('a password comes from the environment, goes to this machine or over https only, and is in no message', async () => {
  vi.stubEnv('LEANSCOPE_PUSH_USER', 'ada');
  vi.stubEnv('LEANSCOPE_PUSH_PASSWORD', 's3cret');
  const { url, got } = await collector((response, { headers }) =>
    answer(400, `no: ${headers.authorization} of ada:s3cret`)(response),
  );
  const { stdout, stderr } = await push('--otlp', `${url}/?key=k3y`);
  expect(got[0].headers.authorization).toBe(`Basic ${Buffer.from('ada:s3cret').toString('base64')}`);
  expect(stdout + stderr).not.toMatch(/s3cret|YWRhOnMzY3JldA|k3y/);
  expect((await push('--otlp', 'http://collector.example')).stderr).toContain(
    'a password is sent to https:// only, and to this machine',
  );
  vi.stubEnv('LEANSCOPE_PUSH_TOKEN', 't0ken');
  await push('--otlp', url);
  expect(got.at(-1)?.headers.authorization).toBe('Bearer t0ken');
});

test('command lines that make no sense are usage errors, which do not quote a password', async () => {
  const refused = async (...argv: readonly string[]): Promise<string> => {
    const { status, stderr } = await push(...argv);
    expect(status).toBe(2);
    return stderr;
  };
  const url = 'http://127.0.0.1:1';
  expect(await refused()).toContain('push needs one of --otlp URL and --pyroscope URL');
  expect(await refused('--otlp', url, '--pyroscope', url)).toContain('push needs one of');
  expect(await refused('--otlp', 'ftp://a')).toContain('must begin with http://');
  expect(await refused('--otlp', 'collector:4318/a b')).toContain('--otlp: ');
  const withPassword = await refused('--otlp', 'https://ada:s3cret@collector.example');
  expect(withPassword).toContain('a password does not belong in an address');
  expect(withPassword).not.toContain('s3cret');
});
