import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { recordingFileName } from '../../../electron/host/kept-recordings.ts';
import { Downloads, saveRecording } from '../../../electron/host/recording-files.ts';
import { OpenLog } from '../../../electron/host/open-log.ts';
import type { LogId } from '../../../shared/protocol/messages.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function logOf(missing = 0): {
  readonly description: { readonly name: string };
  readonly path: string;
  save(path: string): Promise<number>;
} {
  return {
    description: { name: 'com.acme.Shop (7)' },
    path: '/tmp/repository',
    save: (path) => {
      writeFileSync(path, 'new', { flag: 'wx' });
      return Promise.resolve(missing);
    },
  };
}

test('a download is there once, in a private folder, which is removed with it', async () => {
  const downloads = new Downloads();
  const { messages, isSaved } = await saveRecording(logOf(), downloads, undefined);
  const [message, ...more] = messages;
  expect(isSaved).toBe(true);
  if (message.type !== 'download') throw new Error(message.type);
  expect([message.name, more, downloads.take('other')]).toEqual(['com.acme.Shop-7.jfr', [], undefined]);
  const file = downloads.take(message.id)!;
  expect(readFileSync(file.path, 'utf8')).toBe('new');
  expect(downloads.take(message.id)).toBeUndefined();
  file.remove();
  expect(existsSync(dirname(file.path))).toBe(false);
  const [next] = (await saveRecording(logOf(1), downloads, undefined)).messages;
  const id = next.type === 'download' ? next.id : '';
  downloads.close();
  expect(downloads.take(id)).toBeUndefined();
});

test('a file is written where the user wants it; what cannot be written changes nothing', async () => {
  const folder = temporaryFolder();
  const target = join(folder, 'a.jfr');
  writeFileSync(target, 'old');
  const saved: string[] = [];
  const options = {
    chooseTarget: () => Promise.resolve(target),
    onSaved: (path: string) => saved.push(path),
  };
  const failing = { ...logOf(), save: () => Promise.reject(new Error('ENOSPC')) };
  expect(await saveRecording(failing, new Downloads(), options)).toEqual({
    messages: [{ type: 'problem', text: 'The recording was not saved: ENOSPC.' }],
    isSaved: false,
  });
  expect([readFileSync(target, 'utf8'), saved]).toEqual(['old', []]);
  expect(readdirSync(folder)).toEqual(['a.jfr']);
  const [note] = (await saveRecording(logOf(2), new Downloads(), options)).messages;
  expect(note).toMatchObject({
    type: 'problem',
    text: expect.stringContaining('A part of the recording') as string,
  });
  expect([readFileSync(target, 'utf8'), saved, readdirSync(folder)]).toEqual(['new', [target], ['a.jfr']]);
  const cancelled = { chooseTarget: () => Promise.resolve(undefined), onSaved: () => undefined };
  expect(await saveRecording(logOf(), new Downloads(), cancelled)).toEqual({ messages: [], isSaved: false });
});

test('a log that is closed while the user chooses where to save it: the reason is said', async () => {
  const thread = { postMessage: () => undefined, terminate: () => Promise.resolve(0) };
  const log = new OpenLog({
    description: { id: 0 as LogId, name: 'com.acme.Shop (7)', folder: '/tmp' },
    worker: { path: '/tmp', follow: true },
    startThread: () => Object.assign(new EventEmitter(), thread) as unknown as Worker,
    now: () => 0,
    onStatus: () => undefined,
    onDelta: () => undefined,
  });
  const target = join(temporaryFolder(), 'a.jfr');
  const chooseTarget = async (): Promise<string> => {
    await log.close();
    return target;
  };
  expect(await saveRecording(log, new Downloads(), { chooseTarget, onSaved: () => undefined })).toEqual({
    messages: [{ type: 'problem', text: 'The recording was not saved: the log was closed.' }],
    isSaved: false,
  });
  expect(existsSync(target)).toBe(false);
});

test('a thread that reads a recording again after a crash gets its end first, as it was', () => {
  const threads: (EventEmitter & { readonly posted: unknown[] })[] = [];
  const startThread = (): Worker => {
    const posted: unknown[] = [];
    const thread = { posted, postMessage: (message: unknown) => posted.push(message) };
    threads.push(Object.assign(new EventEmitter(), thread));
    return threads[threads.length - 1] as unknown as Worker;
  };
  const worker = { path: '/tmp', follow: true, leftOut: [] };
  const log = new OpenLog({
    description: { id: 0 as LogId, name: 'com.acme.Shop (7)', folder: '/tmp' },
    worker,
    startThread,
    now: () => 0,
    onStatus: () => undefined,
    onDelta: () => undefined,
  });
  log.end('The JVM has ended.');
  threads[0].emit('exit');
  const [first, second] = threads;
  expect(first.posted[0]).toEqual(worker);
  const { type, ...end } = first.posted[1] as { type: string; reason: string; atNs: bigint };
  expect([type, end.reason]).toEqual(['end', 'The JVM has ended.']);
  expect(second.posted).toEqual([{ ...worker, end }]);
});

test('names of files have nothing that a path or a header could take for its own', () => {
  expect(recordingFileName('Busy (12)')).toBe('Busy-12.jfr');
  expect(recordingFileName('Busy (12)', 'tdump')).toBe('Busy-12.tdump');
  expect(recordingFileName('../../etc/passwd"; x=\r\n')).toBe('etc-passwd-x.jfr');
  expect(recordingFileName('\u202e …')).toBe('recording.jfr');
  expect(recordingFileName('a.'.repeat(500)).length).toBeLessThan(120);
});
