import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { openBrowser } from '../../../electron/cli/open-browser.ts';
import { startServer } from '../../../electron/headless/serve.ts';
import { replaceFile } from '../../../electron/host/stored-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testUnless } from '../../support/test-unless.ts';

const NOBODY = 65_534;

/** Asks the server for each path, with these headers, and reads each file; prints the statuses and errors. */
const PROGRAM = `
const { readFileSync } = require('node:fs');
const { port, requests, files } = JSON.parse(process.argv[1]);
const statusOf = async ({ path, headers }) => {
  const response = await fetch('http://127.0.0.1:' + port + path, { headers, redirect: 'manual' });
  return response.status + ' ' + (await response.text()) + (response.headers.get('set-cookie') ?? '');
};
const errorOf = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return error.code;
  }
};
Promise.all(requests.map(statusOf)).then((statuses) =>
  console.log(JSON.stringify({ user: process.getuid(), statuses, errors: files.map(errorOf) })),
);
`;

/** Node may be installed where only its owner gets. */
const canRunAsNobody =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['--version'], { uid: NOBODY, gid: NOBODY, cwd: '/' }).status === 0;

testUnless(canRunAsNobody ? undefined : 'it needs root, and Node that another user can run')(
  'H10: another user of the machine gets nothing without the token, and cannot read what holds it or settings',
  async () => {
    const folder = temporaryFolder();
    const renderer = join(folder, 'renderer');
    mkdirSync(renderer);
    writeFileSync(join(renderer, 'index.html'), 'secret page');
    // So that it is the files themselves that refuse.
    chmodSync(folder, 0o755);
    const host = { connectClient: () => undefined };
    const server = await startServer({ host, rendererFolder: renderer, port: 0 });
    onTestFinished(() => server.close());

    const settings = join(folder, 'settings', 'recent.json');
    expect(replaceFile(settings, '["secret.hpl"]')).toBe(true);
    const pages = join(folder, 'pages');
    onTestFinished(openBrowser(server.url, pages));
    const files = [settings, ...readdirSync(pages).map((name) => join(pages, name))];
    expect(files).toHaveLength(2);

    const requests = [
      { path: '/' },
      { path: '/index.html' },
      { path: '/?token=guess' },
      { path: '/', headers: { cookie: `leanscope-${server.port}=guess` } },
    ];
    const program = ['-e', PROGRAM, JSON.stringify({ port: server.port, requests, files })];
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, program, { uid: NOBODY, gid: NOBODY, cwd: '/' });
    const { user, statuses, errors } = JSON.parse(stdout) as Record<string, unknown>;
    expect(user).toBe(NOBODY);
    const text = expect.stringMatching(/^403 This page needs the token\./) as string;
    expect(statuses).toEqual(requests.map(() => text));
    expect(errors).toEqual(['EACCES', 'EACCES']);
  },
);
