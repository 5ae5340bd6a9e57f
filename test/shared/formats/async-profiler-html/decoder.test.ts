import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { batchLean } from '../../../support/batch-lean.ts';
import { inCheckout, useBuiltProgram } from '../../../support/built-program.ts';
import { delivered } from '../../../support/fake-electron/fake-contents.ts';
import { startDesktop } from '../../../support/fake-electron/start-desktop.ts';
import { withPage } from '../../../support/fake-electron/with-page.ts';
import { waitFor } from '../../../support/wait-for.ts';

useBuiltProgram();

const files = () =>
  readdirSync(inCheckout('dist/renderer'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
    .map((entry) => join(entry.parentPath, entry.name));

test('is served from the build, to the byte, under a strict policy', async () => {
  const electron = startDesktop();
  await electron.becomeReady();
  const folder = inCheckout('dist/renderer/');
  for (const file of files()) {
    const name = file.slice(folder.length).replaceAll('\\', '/');
    const response = electron.request(`app://leanscope/${name === 'index.html' ? '' : name}`);
    expect(response.status, name).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(readFileSync(file)), name).toBe(true);
    expect(response.headers.get('X-Content-Type-Options'), name).toBe('nosniff');
    const policy = response.headers.get('Content-Security-Policy')!;
    expect(policy, name).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy, name).not.toMatch(/unsafe|https?:|\*/);
  }
  expect(electron.request('app://leanscope/').headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  expect(await electron.request('app://leanscope/licences.txt').text()).toContain('d3-flame-graph 5.0.0');
});

test('has nothing at any other address', async () => {
  const electron = startDesktop();
  await electron.becomeReady();
  for (const url of [
    'app://leanscope/index.html?x',
    'app://leanscope/nothing.js',
    'app://leanscope/../main.cjs',
    'app://leanscope/%2e%2e/electron/main.cjs',
    'app://leanscope/%2e%2e%2felectron%2fmain.cjs',
    'app://leanscope/..%5celectron%5cmain.cjs',
    'app://leanscope/assets/..\\..\\electron\\main.cjs',
    'app://leanscope//etc/passwd',
    'app://leanscope/%00',
    'app://leanscope/%252e%252e/electron/main.cjs',
    'app://leanscope.evil/',
    'app://other/',
    'app://leanscope:80/',
    'app://user@leanscope/',
    `app://leanscope/${'a'.repeat(100_000)}`,
    'file:///etc/passwd',
    '',
  ]) {
    const response = electron.request(url);
    const what = url.slice(0, 80);
    expect(response.status, what).toBe(404);
    expect(await response.text(), what).toBe('');
    expect(response.headers.get('Content-Security-Policy'), what).toContain("default-src 'none'");
  }
});

test('is only read', async () => {
  const electron = startDesktop();
  await electron.becomeReady();
  for (const method of ['POST', 'PUT', 'HEAD', 'get'])
    expect(electron.request('app://leanscope/', method).status, method).toBe(404);
});

test('gets one name, from a script that needs nothing but electron', async () => {
  const { preload } = await withPage();
  expect(preload.exposed).toEqual(['leanscope']);
  expect(Object.keys(preload.bridge).sort()).toEqual([
    'onCommand',
    'onSaved',
    'openDropped',
    'platform',
    'revealLog',
    'revealSaved',
    'setShown',
    'setTheme',
    'transport',
  ]);
  expect(preload.required).toEqual(['electron']);
});

test('the sample, from the menu to every sample in the page, over the real host and worker', async () => {
  const { electron, client } = await withPage();
  electron.choose('File > Open Sample > Honest Profiler Log');
  await waitFor(() => client.statuses.size > 0, 'its status');
  const [log] = client.statuses.keys();
  const copy = client.subscribe(log);
  await waitFor(() => copy.complete, 'the whole profile');
  expect(copy.lean).toBe(batchLean(gunzipSync(readFileSync(inCheckout('assets/shop.hpl.gz')))));
});

test('menu items reach the page, also those that were chosen before it listened', async () => {
  const { electron, preload } = await withPage();
  electron.choose('View > Flame Graph');
  const heard: string[] = [];
  preload.bridge.onCommand((command) => heard.push(command));
  electron.choose('Help > Keyboard Shortcuts');
  await delivered();
  expect(heard).toEqual(['showFlame', 'help']);
});
