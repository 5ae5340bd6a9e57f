import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { AttachedJvm, AttachError } from '../../../electron/jvm/attach.ts';
import { FlightRecorder } from '../../../electron/recording/flight-recorder.ts';
import { JvmList } from '../../../electron/jvm/jvm-list.ts';
import { newRecordingName } from '../../../electron/recording/recording-name.ts';
import { endedProcess } from '../../support/ended-process.ts';
import { listedJvm } from '../../support/listed-jvm.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { NO_JVM, QUICK_START, RECORDED_JDKS, startJvm } from '../../support/test-jvm.ts';
import { onLinux, testUnless } from '../../support/test-unless.ts';
import { waitFor } from '../../support/wait-for.ts';

for (const { major, home } of RECORDED_JDKS)
  testUnless(NO_JVM)(`JDK ${major}: listed, attached, recorded and left as found`, async () => {
    const cwd = temporaryFolder();
    const agent = '-Dagentpath=-agentpath:/opt/liblagent.so';
    const file = join(temporaryFolder(), 'args.txt');
    writeFileSync(file, '-Dof.file=1');
    const { pid } = await startJvm({
      home,
      jvm: ['-Xmx64m', agent, `@${file}`],
      program: ['one', 'a b'],
      cwd,
    });
    const list = new JvmList();
    const jvm = listedJvm(pid, list);
    expect(jvm).toMatchObject({
      ownPid: pid,
      main: 'Busy',
      mainArguments: 'one a b',
      jvmArguments: ['-Dof.file=1', '-cp', expect.any(String) as string, ...QUICK_START, '-Xmx64m', agent],
      can: ['jfr', 'dumps'],
      obstacle: undefined,
      agent: undefined,
    });
    expect(jvm.version?.startsWith(String(major))).toBe(true);
    const again = listedJvm(pid, list);
    expect(again).toEqual({ ...jvm, uptime: again.uptime, cpu: again.cpu });

    const attached = await AttachedJvm.open(jvm);
    expect(readdirSync(cwd)).toEqual([]);
    expect(existsSync(`/tmp/.attach_pid${pid}`)).toBe(false);
    expect(await attached.run('threaddump')).toContain('"worker-0"');
    expect((await attached.properties()).get('java.specification.version')).toBe(String(major));
    await expect(attached.jcmd('No.such')).rejects.toThrow(AttachError);
    await expect(attached.run('nonsense')).rejects.toThrow('nonsense failed');

    const recorder = new FlightRecorder(attached);
    const settings = { settings: 'default', flushes: true, maxMegabytes: 10 } as const;
    const killed = newRecordingName(endedProcess());
    await recorder.start(killed, settings);
    await recorder.start('mine', settings);
    expect((await recorder.list()).map(({ name }) => name)).toEqual([killed, 'mine']);
    expect(existsSync(await recorder.repository())).toBe(true);
    // Its recording is stopped, the other one is not touched.
    await recorder.stopAbandoned();
    expect((await recorder.list()).map(({ name }) => name)).toEqual(['mine']);
    const dump = join(cwd, 'my "own".jfr');
    await recorder.dump('mine', dump);
    expect(existsSync(dump)).toBe(true);
    await recorder.stop('mine');
    await recorder.stop('mine');
    expect(await recorder.list()).toEqual([]);

    const { stdout } = await runCli(['jvms']);
    expect(stdout).toMatch(new RegExp(`^${pid} +Busy +${major}\\S* .* jfr, dumps$`, 'm'));
    const { jvms } = JSON.parse((await runCli(['jvms', '--json'])).stdout) as {
      jvms: { pid: number; possible: string[] }[];
    };
    expect(jvms.find((each) => each.pid === pid)?.possible).toEqual(['jfr', 'dumps']);
  });

testUnless(NO_JVM)(
  'a JVM that forbids attaching, or does not catch SIGQUIT, is refused and goes on',
  async () => {
    const forbidding = await startJvm({ jvm: ['-XX:+DisableAttachMechanism', '-XX:-UsePerfData'] });
    const jvm = listedJvm(forbidding.pid);
    expect([jvm.main, jvm.obstacle, jvm.can]).toEqual(['Busy', 'attach disabled', []]);
    expect(jvm.version).toMatch(/^\d+\.\d+/);
    await expect(AttachedJvm.open(jvm)).rejects.toThrow('-XX:+DisableAttachMechanism');

    // With -Xrs, a JVM has its socket from the start, and without it nothing can be done.
    const program = await startJvm({ jvm: ['-Xrs'] });
    const { pid } = program;
    const withSocket = listedJvm(pid);
    expect(withSocket.obstacle).toBeUndefined();
    expect(await (await AttachedJvm.open(withSocket)).run('threaddump')).toContain('"worker-0"');
    rmSync(`/tmp/.java_pid${pid}`);
    expect(listedJvm(pid).obstacle).toBe('SIGQUIT not caught');
    await expect(AttachedJvm.open(withSocket)).rejects.toThrow('does not catch SIGQUIT');
    expect(existsSync(`/tmp/.attach_pid${pid}`)).toBe(false);
    expect(program.process.exitCode).toBeNull();
    await program.end();
    expect(program.process.signalCode).toBeNull();
  },
);

onLinux('another program is never sent a signal, whatever is said about it', async () => {
  const child = spawn('sleep', ['1000']);
  try {
    const pid = child.pid ?? -1;
    await waitFor(() => existsSync(`/proc/${pid}/exe`), 'the program');
    expect(new JvmList().read().some((jvm) => jvm.pid === pid)).toBe(false);
    const { processTimes } = await import('../../../electron/jvm/process-places.ts');
    const startTicks = processTimes(pid)?.startTicks ?? 0;
    const userId = process.getuid?.() ?? 0;
    const target = { pid, ownPid: pid, main: 'x', userId, obstacle: undefined };
    await expect(AttachedJvm.open({ ...target, startTicks })).rejects.toThrow('it is not a HotSpot JVM');
    await expect(AttachedJvm.open({ ...target, startTicks: startTicks + 1 })).rejects.toThrow('has ended');
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  } finally {
    child.kill();
  }
});
