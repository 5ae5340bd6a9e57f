import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { detectFormat } from '../../../shared/input/detect-format.ts';
import { FORMATS } from '../../../shared/formats/formats.ts';
import {
  bciFrame,
  bytes,
  frame,
  i32,
  i64,
  log,
  method,
  oldMethod,
  oldTraceStart,
  thread,
  traceStart,
  zeros,
} from '../../support/log-bytes.ts';

const say = (head: Uint8Array | string, ended = true): string => {
  const input = typeof head === 'string' ? Uint8Array.from(head, (char) => char.charCodeAt(0)) : head;
  const detected = detectFormat(input, ended);
  if (detected === undefined) return 'nothing yet';
  return detected.format === undefined
    ? `not a log but ${detected.guess}`
    : `${detected.format}: ${detected.reason}`;
};

test('every first record of an Honest Profiler log', () => {
  const rest = frame(1, 2, 3);
  expect(say(log(thread(7, 'main'), rest))).toBe('honest-log: it begins with a thread');
  expect(say(log(traceStart(3, 7, 1.5), rest))).toBe(
    'honest-log: it begins with a trace start with its time',
  );
  expect(say(log(oldTraceStart(-2, 7), rest))).toBe('honest-log: it begins with a trace start');
  expect(say(log(oldMethod(1, 'A.java', 'LA;', 'a'), rest))).toBe('honest-log: it begins with a method');
  expect(say(log(method(1, 'A.java', 'LA;', 'a'), rest))).toBe(
    'honest-log: it begins with a method with its signature',
  );
  expect(say(log(frame(1, 2, 3), rest))).toBe('honest-log: it begins with a frame with its line');
  expect(say(log(bciFrame(1, -3), rest))).toBe('honest-log: it begins with a frame');
  expect(say(log(zeros(100), thread(7, 'main'), rest))).toBe('honest-log: it begins with a thread');
  expect(say(zeros(512))).toBe('honest-log: it begins with zeros, as in a preallocated log');
});

test('a strange first record is believed when another record follows it', () => {
  const strange = log(bytes(1), i32(0x7fffffff), i64(1));
  expect(say(log(strange, thread(7, 'main')))).toBe('honest-log: it begins with a trace start');
  expect(say(log(strange, bytes(0xee)))).toBe('not a log but binary data');
  expect(say(log(bytes(4), i64(1), i32(-1), zeros(50)))).toMatch(/^not a log but binary data/);
});

test.each<readonly [what: string, head: Uint8Array | string]>([
  ['a TrueType font', '\x00\x01\x00\x00\x00\x0f\x00\x80\x00\x03\x00\x70FFTM\x5f\x21\x3a\x10\x00\x01\x02\x03'],
  [
    'an icon',
    '\x00\x00\x01\x00\x02\x00\x10\x10\x00\x00\x01\x00\x20\x00\x68\x04\x00\x00\x26\x00\x00\x00\x20\x20',
  ],
  ['an icon cache', '\x00\x01\x00\x00\x00\x00\x00\x0c\x00\x00\x01\xd4\x00\x00\x00\x11\xff\xff\xff\xff'],
  ['a MIME cache', '\x00\x01\x00\x02\x00\x00\x02\xac\x00\x00\x1e\x14\x00\x00\x8f\x90\x00\x00\xa2\x4c'],
  ['small numbers of an Intel processor', log(...[1, 2, 3, 4, 5].map((each) => i32(each << 24)))],
  // Flags of pages, eight bytes each, in which every other record is followed by zeros.
  [
    'numbers among zeros',
    log(
      ...[1, 2, 4, 1, 2, 8, 5].flatMap((each) => [i32(each << 24), i32(0), i32(0), i32(1), zeros(7)]),
      zeros(30),
      bytes(0xee),
    ),
  ],
  [
    'a table of a locale',
    '\x1f\x11\x03 \x05\x00\x00\x00\x1c\x00\x00\x00&\x00\x00\x00\x27\x00\x00\x00+%c %a %l\x00\x00UTF-8\x00',
  ],
  ['a thread that has no name before what is no record', log(bytes(4), i64(7), i32(0), bytes(0xee))],
])('a record by chance does not make %s a log', (_, head) => {
  expect(say(head)).toMatch(/^not a log/);
});

test('a damaged log is one by its records before the damage', () => {
  const damage = bytes(0xee);
  expect(say(log(thread(7, 'main'), damage))).toBe('honest-log: it begins with a thread');
  expect(say(log(oldMethod(1, 'A.java', 'LA;', 'a'), damage))).toBe('honest-log: it begins with a method');
  const timed = log(traceStart(1, 7, 1.5), frame(1, 2, 3));
  expect(say(log(timed, damage))).toBe('honest-log: it begins with a trace start with its time');
});

test('a log that has only begun is one already', () => {
  const whole = log(thread(7, 'main'), traceStart(1, 7, 1.5), frame(1, 2, 3));
  for (let length = 1; length <= whole.length; length++) {
    expect(say(whole.subarray(0, length), false)).toBe('honest-log: it begins with a thread');
  }
  expect(say('', false)).toBe('nothing yet');
});

test('hprof, binary and text', () => {
  expect(say('JAVA PROFILE 1.0.2\x00\x00')).toBe('hprof: it begins with JAVA PROFILE 1.0.2');
  expect(say('Version: 3\nModel: x\n\nJAVA PROFILE 1.0.2\x00\x00')).toBe(
    'hprof: it begins with a text header and JAVA PROFILE 1.0.2',
  );
  expect(say('JAVA PROFILE 1.0.1, created Fri Jun 14 01:15:30 2013\n\nHeader')).toBe(
    'hprof-text: it begins with the line JAVA PROFILE 1.0.1, created Fri Jun 14 01:15:30 2013',
  );
  expect(say('THREAD START (obj=1, id = 200001, ')).toBe('hprof-text: it begins with THREAD START (obj=');
  expect(say('TRACE 300017: (thread=200001)\n')).toBe('hprof-text: it begins with TRACE and a number:');
  expect(say('CPU SAMPLES BEGIN (total = 0) Fri')).toBe('hprof-text: it begins with CPU SAMPLES BEGIN');
  for (const begun of ['JAVA PROF', 'JAVA PROFILE 1.0.2', 'THREAD', 'TRACE 30', 'CPU SAM'])
    expect(say(begun, false)).toBe('nothing yet');
  expect(say('JAVA PROF')).toMatch(/^not a log but plain text/);
  expect(say(`JAVA PROFILE ${'x'.repeat(600)}`)).toMatch(/^not a log but plain text/);
  expect(say('TRACES of nothing\n')).toMatch(/^not a log but plain text/);
});

test('what else people open', () => {
  const guesses: readonly (readonly [head: string, guess: string])[] = [
    ['', 'an empty file'],
    ['\x89PNG\r\n\x1a\n', 'a PNG image'],
    ['PK\x03\x04\x14\x00', 'a ZIP archive inside another'],
    ['\x7fELF\x02\x01', 'an ELF program'],
    ['\x1f\x8b\x08', 'gzip inside gzip'],
    ['Hello, world\n', 'plain text'],
    ['{"stackTraces": []}', 'a JSON file'],
    ['{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"children":[]}}', 'a V8 heap profile'],
    ['<!doctype html>', 'an HTML page'],
    ['<?xml version="1.0"?><project/>', 'an XML file'],
    ['\xff\xfeH\x00i\x00', 'UTF-16 text'],
    ['\x00\x00\x00\x18ftypmp42', 'an MP4 video'],
    ['\xfe\x01\x02', 'binary data'],
  ];
  for (const [head, guess] of guesses) expect(say(head)).toBe(`not a log but ${guess}`);
  expect(say('FLR\x00\x00\x02')).toBe('jfr: it begins with FLR');
});

test('every format is checked; the main one is named first, then what is most alike', () => {
  const detected = detectFormat(Buffer.from('{"nodes": 1}'), true);
  if (detected?.format !== undefined) throw new Error('it has no format');
  expect(detected?.reasons.map(({ name }) => name).sort()).toEqual(FORMATS.map(({ name }) => name).sort());
  const [main, next] = detected!.reasons;
  expect(main.name).toBe('Honest Profiler log');
  expect(main.because).toContain('its first byte, 123 (0x7b)');
  expect(['speedscope file', 'V8 CPU profile']).toContain(next.name);
});

const recorded = 'test/golden/hpl';
test('every recorded log', () => {
  const logs = readdirSync(recorded).filter((name) => name.endsWith('.hpl.gz'));
  expect(logs.length).toBeGreaterThan(5);
  for (const name of logs) {
    const head = gunzipSync(readFileSync(`${recorded}/${name}`)).subarray(0, 512);
    expect(`${name} ${say(head, false)}`).toMatch(/ honest-log: /);
  }
  for (const name of readdirSync(`${recorded}/damaged`)) {
    const head = readFileSync(`${recorded}/damaged/${name}`).subarray(0, 512);
    expect(`${name} ${say(head)}`).toMatch(name === 'empty.hpl' ? /but an empty file/ : / honest-log: /);
  }
});
