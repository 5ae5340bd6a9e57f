import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { AttachedJvm } from '../../../electron/jvm/attach.ts';
import { FlightRecorder } from '../../../electron/recording/flight-recorder.ts';
import { isRunning } from '../../../electron/jvm/attach.ts';
import { newJvmLister } from '../../../electron/jvm/jvm-list.ts';
import { isAbandoned, newRecordingName } from '../../../electron/recording/recording-name.ts';
import { endedProcess } from '../../support/ended-process.ts';
import { fakeMac, type ShownProcess } from '../../support/fake-mac.ts';
import { readInput } from '../../support/read-input.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { CHOSEN_JDKS, NO_JVM, startJvm } from '../../support/test-jvm.ts';
import { NO_PROC, testUnless } from '../../support/test-unless.ts';

// A JVM of Linux is looked at as one of macOS is: by its perf data, and by programs of macOS, which are scripts here.
const { programs } = vi.hoisted(() => ({ programs: { getconf: '', lsof: '', ps: '' } }));
vi.mock('../../../electron/jvm/platform.ts', () => ({
  IS_MAC: true,
  CAN_ATTACH: true,
  MAC_PROGRAMS: programs,
}));

for (const { major, home } of CHOSEN_JDKS)
  testUnless(NO_JVM ?? NO_PROC)(
    `JDK ${major}, by what macOS tells: listed, attached, recorded and left as found`,
    async () => {
      const mac = fakeMac('/tmp');
      Object.assign(programs, mac.programs);
      const startMs = Date.now();
      const cwd = temporaryFolder();
      const program = await startJvm({ home, cwd, program: ['one', 'two'] });
      const { pid } = program;
      const shown: ShownProcess = { pid, command: `${home}/bin/java Busy one two`, startMs, time: '0:02.00' };
      const shell = { pid: process.pid, command: '-zsh' };
      mac.show([shell, shown]);
      const list = newJvmLister();
      const [jvm, ...others] = await list.read();
      expect(others).toEqual([]);
      expect(jvm).toMatchObject({
        pid,
        ownPid: pid,
        main: 'Busy',
        mainArguments: 'one two',
        user: 'ann',
        can: ['jfr', 'dumps'],
        obstacle: undefined,
      });
      expect(jvm.version?.startsWith(String(major))).toBe(true);
      expect(jvm.cpu * jvm.uptime).toBeCloseTo(2);
      mac.show([shell, { ...shown, time: '0:02.50' }]);
      const [again] = await list.read();
      expect(again).toEqual({ ...jvm, uptime: again.uptime, cpu: again.cpu });
      expect(again.cpu * (again.uptime - jvm.uptime)).toBeCloseTo(0.5, 1);
      expect(mac.runs('ps')).toHaveLength(2);

      // Once the socket is open, nothing is looked at any more.
      const attached = await AttachedJvm.open(jvm);
      await AttachedJvm.open(jvm);
      expect([mac.runs('ps').length, mac.runs('lsof').length]).toEqual([3, 1]);
      expect([readdirSync(cwd), existsSync(`/tmp/.attach_pid${pid}`)]).toEqual([[], false]);
      expect(await attached.run('threaddump')).toContain('"worker-0"');

      const recorder = new FlightRecorder(attached);
      const killed = newRecordingName({ pid: endedProcess().pid, startTicks: 0, namespace: 1 });
      expect([isAbandoned(killed), isAbandoned(newRecordingName())]).toEqual([true, false]);
      await recorder.start(killed, { settings: 'default', flushes: true, maxMegabytes: 10 });
      const { stdout } = await runCli(['jvms']);
      expect(stdout).toMatch(new RegExp(`^${pid} +Busy +${major}\\S* +ann .* jfr, dumps$`, 'm'));
      const jfr = join(temporaryFolder(), 'out.jfr');
      const recorded = await runCli(['record', 'Busy', '-o', jfr, '-d', '1s']);
      expect([recorded.status, recorded.stderr]).toEqual([0, '']);
      const { decoder } = readInput(readFileSync(jfr));
      expect(decoder.damage).toBeUndefined();
      const dumps = join(temporaryFolder(), 'out.tdump');
      const argv = ['record', 'Busy', '-o', dumps, '--with', 'dumps', '-d', '100ms', '--share', '100'];
      expect((await runCli(argv)).status).toBe(0);
      expect(readFileSync(dumps, 'utf8')).toContain('at Busy.work(');
      expect(await recorder.list()).toEqual([]);

      expect(isRunning(jvm)).toBe(true);
      expect(isRunning({ ...jvm, startTicks: jvm.startTicks - 1 })).toBe(false);
      await program.end();
      expect(program.process.signalCode).toBeNull();
      expect(isRunning(jvm)).toBe(false);
      mac.show([shell]);
      expect(await list.read()).toEqual([]);
    },
  );
