import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { Host } from '../../electron/host/host.ts';
import { RecentFiles } from '../../electron/host/recent-files.ts';
import { chooseProfiles } from '../../electron/desktop/dialogs.ts';
import { receive } from '../../renderer/store/events/receive.ts';
import { INITIAL_STATE } from '../../renderer/store/state/window-state.ts';
import { COLLAPSED } from '../../shared/formats/collapsed/format.ts';
import { is, isNot, type ProfileFormat } from '../../shared/formats/profile-format.ts';
import { FORMATS } from '../../shared/formats/formats.ts';
import { useLogWorker } from '../support/built-worker.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { connectedTo } from '../support/test-client.ts';
import { fromHost } from '../support/window-events.ts';

const { showOpenDialog } = vi.hoisted(() => ({ showOpenDialog: vi.fn() }));
vi.mock('electron', () => ({ dialog: { showOpenDialog } }));

/** Lines such as `@ a;b 3`. */
const MADE: ProfileFormat = {
  id: 'made',
  name: 'made stacks',
  listed: { group: 'Exchange formats', entry: 'Made for a test' },
  extensions: ['.made', '.made.txt'],
  follows: false,
  notRecorded: ['who made it'],
  recognise: (head) => (head[0] === 0x40 ? is('it begins with @') : isNot(0, 'it does not begin with @')),
  createDecoder: (sink, chosen) => COLLAPSED.createDecoder(sink, chosen),
};

// The line in formats.ts.
beforeAll(() => void (FORMATS as ProfileFormat[]).unshift(MADE));

const workerUrl = useLogWorker();

test('a format of the list is read by the command line, under its own name', async () => {
  const file = join(temporaryFolder(), 'stacks');
  writeFileSync(file, '@ a;b 3\n');
  const { stdout, stderr } = await runCli(['summary', file, '--json']);
  expect([JSON.parse(stdout), stderr]).toMatchObject([{ format: 'made', samples: 3 }, '']);
  expect((await runCli(['summary', file])).stdout).toMatch(/made stacks/);
});

test('its extensions are offered by the file dialog', async () => {
  showOpenDialog.mockResolvedValue({ filePaths: [] });
  await chooseProfiles(undefined, []);
  const [[{ filters }]] = showOpenDialog.mock.calls as [[{ filters: { extensions: string[] }[] }]];
  expect(filters[0].extensions).toEqual(
    expect.arrayContaining(['made', 'hpl', 'jfr', 'hprof', 'tgz', 'gz', 'zip']),
  );
  expect(new Set(filters[0].extensions).size).toBe(filters[0].extensions.length);
});

test('the start page lists it, and every other format once', async () => {
  const host = new Host({
    version: '1.2.3',
    capabilities: { openDialog: false, openDropped: false },
    workerUrl: workerUrl(),
    sampleFolder: undefined,
    recentFiles: new RecentFiles(join(temporaryFolder(), 'settings')),
  });
  const [hello] = (await connectedTo(host)).messages;
  await host.stop();
  const { formats } = receive(INITIAL_STATE, fromHost(hello));
  const text = formats.map(({ title, formats: listed }) =>
    [title, ...listed.map(({ name, files }) => `${name} ${files}`)].join('\n  '),
  );
  expect(text.join('\n')).toBe(`JVM profilers
  async-profiler .html
  Honest Profiler .hpl
  hprof .hprof .hprof.txt
  JFR .jfr
Exchange formats
  Collapsed stacks .collapsed
  Firefox Profiler, samply .json
  Leanscope page .html
  Made for a test .made
  OpenTelemetry .otlp
  pprof .pprof
  speedscope .speedscope.json
  V8 CPU profile .cpuprofile
Traces and dumps
  SkyWalking .tar.gz .data
  Thread dumps .txt .json
  TPTP .trcbin .trcxml`);
});
