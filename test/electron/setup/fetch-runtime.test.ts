import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { inCheckout } from '../../support/built-program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

const { version } = JSON.parse(readFileSync(inCheckout('node_modules/electron/package.json'), 'utf8')) as {
  readonly version: string;
};
const NAME = process.platform === 'win32' ? 'electron.exe' : 'electron';
const ARCHIVE = `electron-v${version}-linux-${process.arch}.zip`;

/** A stub of the runtime, larger than the step at which progress is printed. */
const archive = Buffer.from(
  zipSync(
    {
      [NAME]: new TextEncoder().encode('#!/bin/sh\n'),
      version: new TextEncoder().encode(version),
      rest: randomBytes(12_000_000),
    },
    { level: 0 },
  ),
);

type Answer = (response: ServerResponse) => void;

/** A mirror of Electron's releases, which answers requests for the archive so. */
async function mirror(answer: Answer): Promise<string> {
  const server: Server = createServer(({ url = '' }, response) => {
    if (url.endsWith('SHASUMS256.txt'))
      response.end(`${createHash('sha256').update(archive).digest('hex')} *${ARCHIVE}\n`);
    else if (url.endsWith(ARCHIVE)) answer(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
}

/** Electron's npm package as npm installs it: with its installer, without its runtime. */
function electronPackage(): string {
  const modules = join(temporaryFolder(), 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(inCheckout('node_modules')))
    if (name !== 'electron' && !name.startsWith('.'))
      symlinkSync(inCheckout(`node_modules/${name}`), join(modules, name), 'junction');
  const electron = join(modules, 'electron');
  mkdirSync(electron);
  for (const name of ['install.js', 'package.json', 'checksums.json'])
    cpSync(inCheckout(`node_modules/electron/${name}`), join(electron, name));
  return electron;
}

interface Download {
  readonly electron: string;
  readonly state: string;
  readonly output: () => string;
  readonly ended: () => boolean;
}

function download(url: string, electron = electronPackage(), state = temporaryFolder()): Download {
  const module = new URL('../../../electron/setup/fetch-runtime.mjs', import.meta.url).href;
  // Tells of whatever would end the installer after a time.
  const script = `import children from 'node:child_process';
    import { syncBuiltinESMExports } from 'node:module';
    const { spawn } = children;
    children.spawn = (file, args, options) => {
      if ('timeout' in options || 'signal' in options) console.log('limited');
      return spawn(file, args, options);
    };
    syncBuiltinESMExports();
    globalThis.setTimeout = () => console.log('a timer');
    AbortSignal.timeout = () => console.log('a limit');
    const { downloadRuntime } = await import(${JSON.stringify(module)});
    await downloadRuntime(${JSON.stringify(electron)}, ${JSON.stringify(state)});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: {
      ...process.env,
      ELECTRON_MIRROR: url,
      ELECTRON_INSTALL_PLATFORM: 'linux',
      electron_use_remote_checksums: '1',
      electron_config_cache: join(state, 'cache'),
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  let ended = false;
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()));
  child.once('close', () => (ended = true));
  return { electron, state, output: () => output, ended: () => ended };
}

const FIRST_LINE = "Downloading Electron's runtime, once (about 120 MB) …\n";

test('the runtime is downloaded however long it takes, and says how far it is', async () => {
  let rest: (() => void) | undefined;
  const url = await mirror((response) => {
    response.setHeader('Content-Length', archive.length);
    response.write(archive.subarray(0, 11_000_000));
    rest = () => response.end(archive.subarray(11_000_000));
  });
  const { electron, state, output, ended } = download(url);
  await waitFor(() => output().includes(' MB\n'), 'progress');
  rest!();
  await waitFor(ended, 'its end');
  expect(output()).toMatch(new RegExp(`^${FIRST_LINE.replace(/[()]/g, '\\$&')}1[01] MB\n$`));
  expect(readFileSync(join(electron, 'path.txt'), 'utf8')).toBe('electron');
  expect(existsSync(join(electron, 'dist/electron'))).toBe(true);
  expect(readdirSync(state)).toEqual(['cache']);

  const again = download('http://127.0.0.1:1/', electron, state);
  await waitFor(again.ended, 'its end');
  expect(again.output()).toBe('');
});

test('a failure says where the reason is, and is not repeated for a day', async () => {
  let requests = 0;
  const url = await mirror((response) => {
    requests++;
    response.writeHead(503).end();
  });
  const { electron, state, output, ended } = download(url);
  await waitFor(ended, 'its end');
  const file = join(state, 'runtime-fetch-failed.txt');
  expect(output()).toBe(
    `${FIRST_LINE}Electron's runtime could not be downloaded. ${file} says why; it is tried again in a day.\n`,
  );
  expect(readFileSync(file, 'utf8')).toContain('503');

  const again = download(url, electron, state);
  await waitFor(again.ended, 'its end');
  expect(again.output()).toContain(`or when you delete ${file}, which says why.\n`);
  expect(requests).toBe(1);

  const yesterday = Date.now() / 1000 - 24 * 60 * 60 - 1;
  utimesSync(file, yesterday, yesterday);
  const later = download(url, electron, state);
  await waitFor(later.ended, 'its end');
  expect(requests).toBe(2);
});
