import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { setTimeout as pause } from 'node:timers/promises';
import { collectBytes, type ExportInput } from '../../shared/export/export-input.ts';
import { exportOf } from '../../shared/export/export-view.ts';
import { DEFAULT_SVG_WIDTH } from '../../shared/export/flame-svg.ts';
import { exportOtlp } from '../../shared/export/otlp.ts';
import { exportPprof, spanOf } from '../../shared/export/pprof.ts';
import type { TimedSamples } from '../../shared/engine/views/row-times.ts';
import { MessageCursor, Wire } from '../../shared/read/protobuf.ts';
import { isDate } from '../../shared/scope/time-range.ts';
import { formatBytes, formatQuantity } from '../../shared/text/format-value.ts';
import { printable } from '../../shared/text/printable.ts';
import { askProfile, questionOf } from './ask-profile.ts';
import { CommandError, type CommandIo, type ExitStatus, writeMessage } from './io/command-io.ts';
import { UsageError } from './options/usage-error.ts';
import { COMMANDS } from './options/commands.ts';
import { readArguments } from './options/options.ts';
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';

const MOST_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 1000;
/** A longer pause that a server asks for ends the command instead: whoever pushes does so again later. */
const LONGEST_PAUSE_MS = 60_000;
/** Refusals of servers that have too much to do: the profile was not taken. */
const BUSY: readonly number[] = [429, 503];
const MOST_ANSWER_CHARACTERS = 300;
const CREDENTIALS = 'set LEANSCOPE_PUSH_TOKEN, or LEANSCOPE_PUSH_USER and LEANSCOPE_PUSH_PASSWORD';

/** A profile to send, and its destination. */
interface Push extends Post {
  /** The address for messages: without what could be secret in it. */
  readonly where: string;
  readonly secrets: readonly string[];
}

/**
 * Sends a profile to a server. A request is repeated only if the server has certainly not taken it: it was not reached, or it has
 * said that it has too much to do.
 */
export async function pushCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.push.options);
  const { otlp, pyroscope, timeout } = args.values;
  const given = otlp ?? pyroscope;
  if (given === undefined || (otlp !== undefined && pyroscope !== undefined))
    throw new UsageError('push needs one of --otlp URL and --pyroscope URL');
  const option = otlp === undefined ? '--pyroscope' : '--otlp';
  const url = addressOf(option, given);
  const credentials = credentialsFor(url);
  const question = questionOf('push', args);
  const asked = await askProfile({ ...question, wantsTimes: otlp !== undefined }, io);
  const { emptied, read } = asked;
  if (emptied !== undefined) throw new CommandError(emptied);
  const { input, notes } = exportOf(asked, otlp === undefined ? 'pprof' : 'otlp', {
    title: '',
    units: read.facts.units,
    facts: read.facts,
    threads: 'all',
    order: { by: 'selfCount', descending: true },
    buckets: 1,
    drawing: {
      theme: 'light',
      colourBy: 'package',
      orientation: 'flame',
      width: DEFAULT_SVG_WIDTH,
      root: undefined,
    },
  });
  const service = args.values.service ?? serviceOf(question.input.paths[0]);
  const { rounded, note, ...request } =
    otlp === undefined ? await toPyroscope(url, input, service) : toOtlp(url, input, service);
  const push: Push = {
    ...request,
    headers: { ...request.headers, ...credentials.headers },
    stallMs: timeout,
    where: `${request.url.origin}${request.url.pathname}`,
    secrets: credentials.secrets,
  };
  const answer = await deliver(push, io);
  const rejected = otlp === undefined ? undefined : rejectedBy(answer);
  for (const each of note === undefined ? notes() : [...notes(), note]) writeMessage(io, each);
  if (rounded > 0) writeMessage(io, `${formatQuantity(rounded, 'count')} rounded to whole numbers`);
  for (const problem of read.problems) writeMessage(io, problem);
  if (rejected !== undefined && rejected.profiles > 0) {
    const sent = input.units.value === undefined ? 1 : 2;
    const refused = `${push.where}: has refused ${rejected.profiles} of ${formatQuantity(sent, 'profile')}${quoted(rejected.text, push)}`;
    if (rejected.profiles >= sent) throw new CommandError(refused);
    writeMessage(io, refused);
    return 3;
  }
  if (rejected !== undefined && rejected.text !== '')
    writeMessage(io, `${push.where}: says${quoted(rejected.text, push)}`);
  io.stdout(`${push.where}: has taken ${printable(service)}, ${formatBytes(push.body.length)}\n`);
  return read.status;
}

/** The address of a server. Throws UsageError, which never quotes what may hold a password. */
function addressOf(option: string, text: string): URL {
  if (!URL.canParse(text))
    throw new UsageError(`${option}: not an address such as https://collector.example:4318`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UsageError(`${option}: the address must begin with http:// or https://`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      `${option}: a password does not belong in an address, where others see it: ${CREDENTIALS}`,
    );
  url.hash = '';
  return url;
}

/** The header that names who pushes, from the environment. Throws UsageError where others could read it on its way. */
function credentialsFor(url: URL): {
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
} {
  const {
    LEANSCOPE_PUSH_TOKEN: token,
    LEANSCOPE_PUSH_USER: user = '',
    LEANSCOPE_PUSH_PASSWORD: password,
  } = process.env;
  if (token === undefined && password === undefined) return { headers: {}, secrets: [] };
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !isLocal)
    throw new UsageError('a password is sent to https:// only, and to this machine');
  const pair = Buffer.from(`${user}:${password ?? ''}`).toString('base64');
  return token === undefined
    ? { headers: { authorization: `Basic ${pair}` }, secrets: [password ?? '', pair] }
    : { headers: { authorization: `Bearer ${token}` }, secrets: [token] };
}

/** `shop` for `…/shop.jfr.gz`. */
function serviceOf(path: string): string {
  return path === '-' ? 'leanscope' : basename(path).replace(/(?<=.)\..*$/s, '');
}

/** A profile in a server's format. `rounded`: how many of its counts are no whole numbers there. `note`: what it lacks. */
type Encoded = Pick<Post, 'url' | 'headers' | 'body'> & { readonly rounded: number; readonly note?: string };

/** A collector refuses larger messages by default where it takes gRPC, or passes them on by it. */
const MOST_MESSAGE_BYTES = 4 << 20;

/** The times of samples are in it if they fit: whatever is sent is one message, which a server takes or refuses. */
export function toOtlp(given: URL, input: ExportInput, service: string, most = MOST_MESSAGE_BYTES): Encoded {
  const url = new URL(given);
  if (url.pathname === '/') url.pathname = '/v1development/profiles';
  const span = spanOf(input);
  let rounded = 0;
  const messageWith = (timed: TimedSamples | undefined): Uint8Array =>
    collectBytes((sink) => {
      rounded = exportOtlp(input.profile, { units: input.units, span, service, timed }, sink);
    });
  const timed = span !== undefined && isDate(span.from) ? input.timed?.() : undefined;
  // A time is eight bytes.
  const whole = timed === undefined || 8 * timed.samples.length > most ? undefined : messageWith(timed);
  const isWhole = whole !== undefined && whole.length <= most;
  const note =
    timed === undefined || isWhole
      ? undefined
      : `times of samples are not sent: with them, the message would have more than ${formatBytes(most)}, which collectors refuse`;
  const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
  return {
    url,
    headers,
    body: gzipSync(isWhole ? whole : messageWith(undefined)),
    rounded,
    ...(note && { note }),
  };
}

/** A form with the profile and what its sample types mean, as the server's agents send it. */
async function toPyroscope(given: URL, input: ExportInput, service: string): Promise<Encoded> {
  const span = spanOf(input);
  let rounded = 0;
  const profile = collectBytes((sink) => {
    rounded = exportPprof(input.profile, { units: input.units, span }, sink);
  });
  const url = new URL(given);
  if (url.pathname === '/') url.pathname = '/ingest';
  const now = BigInt(Date.now()) * 1_000_000n;
  const seconds = (ns: bigint): string => String(ns / 1_000_000_000n);
  const isDated = span !== undefined && span.from > 0n;
  url.searchParams.set('name', service.replaceAll(/[{}]/g, '_'));
  url.searchParams.set('from', seconds(isDated ? span.from : now));
  url.searchParams.set('until', seconds(isDated ? span.to : now));
  url.searchParams.set('spyName', 'leanscope');
  const { counted, value } = input.units;
  const types: Record<string, object> = {
    [counted.many.replaceAll(' ', '_')]: { units: 'samples', aggregation: 'sum' },
  };
  if (value !== undefined)
    types[value.name.toLowerCase().replaceAll(' ', '_')] = {
      units: value.unit === 'ns' ? 'nanoseconds' : 'bytes',
      aggregation: 'sum',
    };
  const form = new FormData();
  form.append('profile', new Blob([gzipSync(profile)]), 'profile');
  form.append('sample_type_config', new Blob([JSON.stringify(types)]), 'sample_type_config');
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return { url, headers, body: new Uint8Array(await encoded.arrayBuffer()), rounded };
}

/** Sends a request until it is taken. Rejects with CommandError if it is refused, or not known to be taken. */
async function deliver(push: Push, io: CommandIo): Promise<Answer> {
  const { where } = push;
  for (let attempt = 1; ; attempt++) {
    const outcome = await post(push);
    if (outcome.kind === 'unknown')
      throw new CommandError(
        `${where}: broke off while the profile was sent (${outcome.reason}), and may have taken it; look there before you push it again`,
      );
    let asked: number | undefined;
    let reason: string;
    if (outcome.kind === 'answered') {
      const { status, retryAfter } = outcome;
      if (status >= 200 && status < 300) return outcome;
      asked = retryMs(retryAfter);
      if (!BUSY.includes(status) || attempt === MOST_ATTEMPTS || (asked ?? 0) > LONGEST_PAUSE_MS)
        throw new CommandError(refusal(push, outcome));
      reason = `answers ${status}`;
    } else {
      reason = `not reached (${outcome.reason})`;
      if (attempt === MOST_ATTEMPTS)
        throw new CommandError(
          `${where}: ${reason}, ${attempt} times; check the address, and that the server runs`,
        );
    }
    const pauseMs = asked ?? FIRST_PAUSE_MS * 2 ** (attempt - 1);
    writeMessage(io, `${where}: ${reason}; trying again${pauseMs === 0 ? '' : ` in ${pauseMs / 1000} s`}`);
    await pause(pauseMs);
  }
}

function refusal(push: Push, { status, body, retryAfter }: Answer): string {
  const text = new TextDecoder().decode(body);
  const advice =
    status === 401 || status === 403
      ? `; ${CREDENTIALS}`
      : status >= 300 && status < 400
        ? '; name the address to which it refers'
        : status === 404
          ? '; check the path of the address'
          : BUSY.includes(status)
            ? `; push it again later${retryAfter === undefined ? '' : ` (Retry-After: ${retryAfter})`}`
            : '';
  return `${push.where}: has not taken the profile, status ${status}${quoted(/^\s*</.test(text) ? '' : text, push)}${advice}`;
}

/** The first line of what a server says, as ` “…”`, without what is secret. */
function quoted(text: string, { secrets }: Pick<Push, 'secrets'>): string {
  let line = /\S.*/.exec(text)?.[0] ?? '';
  for (const secret of secrets) if (secret !== '') line = line.replaceAll(secret, '…');
  line = printable(line.slice(0, MOST_ANSWER_CHARACTERS)).trim();
  return line === '' ? '' : `: “${line}”`;
}

/** Milliseconds of a header `Retry-After`: seconds, or a date. */
function retryMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/**
 * The number of profiles that an OTLP server has refused of a request that it has taken, and its reason: an
 * ExportProfilesServiceResponse, as protobuf or JSON.
 */
function rejectedBy({ body, type }: Answer): { readonly profiles: number; readonly text: string } {
  if (type.includes('json')) {
    try {
      const { partialSuccess = {} } = JSON.parse(new TextDecoder().decode(body)) as {
        partialSuccess?: { rejectedProfiles?: number | string; errorMessage?: string };
      };
      return {
        profiles: Number(partialSuccess.rejectedProfiles ?? 0),
        text: partialSuccess.errorMessage ?? '',
      };
    } catch {
      return { profiles: 0, text: '' };
    }
  }
  let profiles = 0;
  let text = '';
  const outer = new MessageCursor(body);
  while (outer.next()) {
    if (outer.field !== 1 || outer.wire !== Wire.bytes) continue;
    const inner = new MessageCursor(body, outer.from, outer.to);
    while (inner.next()) {
      if (inner.field === 1 && inner.wire === Wire.varint) profiles = inner.number;
      else if (inner.field === 2 && inner.wire === Wire.bytes)
        text = new TextDecoder().decode(body.subarray(inner.from, inner.to));
    }
  }
  return { profiles, text };
}

/** More of an answer is not read. */
const MOST_ANSWER_BYTES = 1 << 16;

/** A request that is sent at most once. */
interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The request is given up when nothing was sent or received for this long. */
  readonly stallMs: number;
}

/**
 * The outcome of a request.
 *
 *   answered    the server has said what it did with it
 *   unreached   nothing of it was sent: it can be tried again
 *   unknown     the connection broke off or stalled while or after it was sent: the server may have taken it
 */
type PostOutcome =
  | Answer
  | { readonly kind: 'unreached'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

interface Answer {
  readonly kind: 'answered';
  readonly status: number;
  /** The value of the header `Retry-After`. */
  readonly retryAfter: string | undefined;
  readonly type: string;
  readonly body: Uint8Array;
}

/** Sends a request and reads the beginning of its answer. Never rejects. Redirections are answers. */
function post({ url, headers, body, stallMs }: Post): Promise<PostOutcome> {
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve) => {
    let isConnected = false;
    const fail = (reason: string): void => {
      resolve({ kind: isConnected ? 'unknown' : 'unreached', reason });
      sent.destroy();
    };
    const sent = (isSecure ? requestSecure : requestPlain)(
      url,
      { method: 'POST', agent: false, headers: { ...headers, 'content-length': String(body.length) } },
      (answer) => {
        const pieces: Buffer[] = [];
        let length = 0;
        const end = (): void => {
          resolve({
            kind: 'answered',
            status: answer.statusCode ?? 0,
            retryAfter: answer.headers['retry-after'],
            type: answer.headers['content-type'] ?? '',
            body: Buffer.concat(pieces).subarray(0, MOST_ANSWER_BYTES),
          });
          sent.destroy();
        };
        answer.on('data', (piece: Buffer) => {
          pieces.push(piece);
          length += piece.length;
          if (length >= MOST_ANSWER_BYTES) end();
        });
        answer.on('end', end);
        // The status line was there: the server has decided, whatever else it wanted to say.
        answer.on('error', end);
        answer.on('aborted', end);
      },
    );
    sent.on('socket', (socket) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true));
    });
    sent.on('error', (error: Error & { readonly code?: string }) => fail(error.code ?? error.message));
    sent.setTimeout(stallMs, () => fail(`no answer for ${stallMs / 1000} s`));
    sent.end(body);
  });
}
