import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { AttachedJvm } from '../../../electron/jvm/attach.ts';
import { JvmList } from '../../../electron/jvm/jvm-list.ts';
import { fakeHotSpotLibrary, NO_FAKE_HOTSPOT } from '../../support/fake-hotspot.ts';
import { NO_FAKE_JAVA, startFakeJava } from '../../support/fake-java.ts';
import { perfDataOf } from '../../support/perf-data-writer.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { jdkHome, NO_JVM, startJvm } from '../../support/test-jvm.ts';
import { NO_PROC, testUnless } from '../../support/test-unless.ts';

const PERL = '/usr/bin/perl';

testUnless(NO_FAKE_HOTSPOT)('a JVM that is seen in its first moment is looked at again', async () => {
  const folder = temporaryFolder();
  // A program with a library of the name that a JVM has. Like a JVM, it catches SIGQUIT and opens its log a little later.
  const java = join(folder, 'java');
  copyFileSync(PERL, java);
  const log = join(folder, 'log-1-2.hpl');
  const program = `-e$|=1; print 1; <STDIN>; $SIG{QUIT} = sub {}; open L, ">", "${log}"; print 2; <STDIN>`;
  const child = spawn(java, [program, '--', '-agentpath:/opt/liblagent.so', 'Main'], {
    env: { LD_PRELOAD: fakeHotSpotLibrary(folder) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const list = new JvmList();
  const seen = (): unknown => {
    const { can, obstacle, agent } = list.read().find(({ pid }) => pid === child.pid) ?? {};
    return { can, obstacle, log: agent?.log };
  };
  await once(child.stdout, 'data');
  expect(seen()).toEqual({ can: [], obstacle: 'SIGQUIT not caught', log: undefined });
  child.stdin.write('\n');
  await once(child.stdout, 'data');
  expect(seen()).toEqual({ can: ['dumps'], obstacle: undefined, log });
});

testUnless(NO_FAKE_JAVA)('an agent that a variable has added is known by the perf data', async () => {
  const pid = await startFakeJava(['-Xmx1g', 'Main']);
  const folder = `/tmp/hsperfdata_leanscope-${pid}`;
  mkdirSync(folder);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const vmArgs = '-agentpath:/opt/liblagent.so=logPath=/var/a.hpl,host=h,port=7 -Xmx1g';
  writeFileSync(join(folder, String(pid)), perfDataOf({ 'java.rt.vmArgs': vmArgs }));
  expect(new JvmList().read().find((jvm) => jvm.pid === pid)?.agent).toEqual({
    library: '/opt/liblagent.so',
    log: '/var/a.hpl',
    control: { host: 'h', port: 7 },
  });
});

testUnless(NO_JVM ?? NO_PROC)(
  'a JVM without perf data and with a launcher of its own is listed, and can be attached to',
  async () => {
    const home = jdkHome();
    const folder = temporaryFolder();
    const launcher = join(folder, 'bin/app');
    mkdirSync(join(folder, 'bin'));
    copyFileSync(join(home, 'bin/java'), launcher);
    symlinkSync(join(home, 'lib'), join(folder, 'lib'));
    const list = new JvmList();
    list.read();
    const { pid } = await startJvm({ launcher, jvm: ['-XX:-UsePerfData'], program: ['shop'] });
    const jvm = list.read().find((each) => each.pid === pid)!;
    expect(jvm).toMatchObject({ main: 'app', can: ['jfr', 'dumps'], obstacle: undefined });
    expect(jvm.mainArguments).toMatch(/ Busy shop$/);
    expect(jvm.jvmArguments).toContain('-XX:-UsePerfData');
    expect(jvm.version).toMatch(/^\d+\.\d+/);
    expect(await (await AttachedJvm.open(jvm)).run('threaddump')).toContain('"worker-0"');
  },
);
