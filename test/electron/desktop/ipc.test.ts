import { expect, test } from 'vitest';
import type { WebContents } from 'electron';
import { CHANNELS } from '../../../electron/desktop/channels.ts';
import { IpcTransport } from '../../../electron/desktop/ipc-transport.ts';
import { useBuiltProgram } from '../../support/built-program.ts';
import { FakeContents, FakeFrame } from '../../support/fake-electron/fake-contents.ts';
import { loadPreload } from '../../support/fake-electron/load-preload.ts';
import { withPage } from '../../support/fake-electron/with-page.ts';
import { TestClient } from '../../support/test-client.ts';
import { waitFor } from '../../support/wait-for.ts';

useBuiltProgram();

const OPEN_SAMPLE = JSON.stringify({ type: 'openSample', sample: 'honest-profiler' });

test('words from anybody but the page itself are not heard', async () => {
  const { electron, window, preload, client } = await withPage();
  const contents = window.webContents;
  const [, connection] = preload.sent.find(([channel]) => channel === CHANNELS.connect)!;
  const destroyed = new FakeFrame(1, 'app://leanscope');
  destroyed.destroyed = true;
  const detached = new FakeFrame(1, 'app://leanscope');
  detached.detached = true;
  const foreignSenders = {
    'a frame in the page': { senderFrame: new FakeFrame(2, 'app://leanscope', contents.mainFrame) },
    'another top frame': { senderFrame: new FakeFrame(3, 'app://leanscope') },
    'other contents': { sender: new FakeContents() },
    'a foreign origin': { senderFrame: new FakeFrame(1, 'https://evil.example') },
    'an origin with ours in front': { senderFrame: new FakeFrame(1, 'app://leanscope.evil') },
    'an opaque origin': { senderFrame: new FakeFrame(1, 'null') },
    'a blank page': { senderFrame: new FakeFrame(1, '') },
    'a frame that is gone': { senderFrame: null },
    'a destroyed frame': { senderFrame: destroyed },
    'a detached frame': { senderFrame: detached },
  };
  for (const from of Object.values(foreignSenders)) {
    contents.receive(CHANNELS.message, [connection, OPEN_SAMPLE], from);
    contents.receive(CHANNELS.openDropped, ['/forged.hpl'], from);
    contents.receive(CHANNELS.theme, ['light'], from);
    contents.receive(CHANNELS.connect, [7], from);
    contents.receive(CHANNELS.disconnect, [connection], from);
  }
  contents.receive(CHANNELS.openDropped, ['/own.hpl']);
  await waitFor(() => client.heard.length > 1, 'the own log');
  expect(client.heard).toEqual(['hello', 'opened 0 own.hpl to be shown']);
  expect(electron.nativeTheme.themeSource).toBe('system');
});

test('what no channel carries is not heard either, and harms nobody', async () => {
  const { window, preload, client } = await withPage();
  const [, connection] = preload.sent.find(([channel]) => channel === CHANNELS.connect)!;
  const deep: unknown[] = [];
  let inner = deep;
  for (let depth = 0; depth < 1000; depth++) inner.push((inner = []));
  const values: unknown[] = [
    undefined,
    null,
    0,
    -1,
    NaN,
    1.5,
    2 ** 60,
    1n,
    true,
    '',
    'x'.repeat(70_000),
    {},
    [],
    deep,
    new ArrayBuffer(70_000),
    new Uint8Array(8),
    new Map([[1, 2]]),
    { toString: null },
    { __proto__: null, type: 'openSample', sample: 'jfr' },
    'relative.hpl',
    '/nul\0.hpl',
    `/${'a'.repeat(40_000)}`,
  ];
  let sent = 0;
  for (const first of values)
    for (const second of [...values, connection])
      for (const channel of [
        CHANNELS.message,
        CHANNELS.openDropped,
        CHANNELS.disconnect,
        CHANNELS.theme,
        'leanscope:none',
      ]) {
        window.webContents.receive(channel, [first, second]);
        sent++;
      }
  expect(sent).toBeGreaterThan(2000);
  window.webContents.receive(CHANNELS.openDropped, ['/own.hpl']);
  await waitFor(() => client.heard.length > 1, 'the own log');
  expect(client.heard).toEqual(['hello', 'opened 0 own.hpl to be shown']);
});

test('a page that sends the host an invalid message gets the reason and is disconnected', async () => {
  const { preload, client } = await withPage();
  const reasons: string[] = [];
  preload.bridge.transport.onClose((reason) => reasons.push(reason));
  preload.bridge.transport.send('{"type":"format"}');
  await waitFor(() => reasons.length > 0, 'the end');
  expect(reasons).toEqual(['The program ended the connection.']);
  expect(client.heard.at(-1)).toMatch(/^problem: The window sent a message that is not of the protocol/);
});

test('a reloaded page gets no messages of the page before', async () => {
  const { electron, window, preload, client } = await withPage();
  const again = loadPreload(window.webContents);
  electron.choose('File > Open Sample > Honest Profiler Log');
  await waitFor(
    () => window.webContents.mainFrame.sent.some((sent) => String(sent[2]).includes('"opened"')),
    'it',
  );
  const second = new TestClient(again.transport());
  await waitFor(() => second.messages.length > 0, 'the greeting of the second');
  expect(second.heard).toEqual(['hello']);
  expect(client.heard).toEqual(['hello']);
  preload.bridge.transport.send(OPEN_SAMPLE);
  preload.bridge.transport.close();
  second.send({ type: 'openSample', sample: 'honest-profiler' });
  await waitFor(() => second.heard.length > 1, 'the answer to the second');
  expect(second.heard).toEqual(['hello', 'opened 0 shop.hpl to be shown']);
});

test('D10: nothing is sent to a page that is gone', () => {
  const contents = new FakeContents();
  const reasons: string[] = [];
  const transport = new IpcTransport(contents as unknown as WebContents, 1);
  transport.onClose((reason) => reasons.push(reason));
  transport.send('one');
  contents.mainFrame.destroyed = true;
  transport.send('two');
  contents.mainFrame = new FakeFrame(1, 'app://leanscope');
  contents.crashed = true;
  transport.send('three');
  contents.crashed = false;
  contents.destroyed = true;
  transport.send('four');
  transport.close();
  transport.close();
  expect(contents.mainFrame.sent).toEqual([]);
  expect(reasons).toEqual(['closed by the host']);
});
