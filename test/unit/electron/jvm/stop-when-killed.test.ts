import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { stopperOf } from '../../../../electron/jvm/stop-when-killed.ts';
import { listenAsJvm } from '../../../support/fake-attach-socket.ts';
import { startFakeJava } from '../../../support/fake-java.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { NO_PROC, onLinux, testUnless } from '../../../support/test-unless.ts';

const PERL = '/usr/bin/perl';
const socket = `/tmp/.java_pid${process.pid}`;

/** A folder with something in it. */
function newFolder(): string {
  const folder = join(temporaryFolder(), 'chunks');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.jfr'), '');
  return folder;
}

/** Starts what waits for the end of its standard input, and ends that. Resolves when it has done its work. */
async function end(command: readonly string[] | undefined, line = ''): Promise<void> {
  const [program, ...args] = command!;
  const child: ChildProcess = spawn(program, args, { stdio: ['pipe', 'ignore', 'inherit'] });
  onTestFinished(() => void child.kill());
  // It may have ended without reading.
  child.stdin!.on('error', () => undefined).end(line);
  await once(child, 'exit');
}

/** A program called java, which is none, and beside it a `jcmd` that writes down what it was asked for. */
async function startOther(): Promise<{ readonly pid: number; readonly bin: string; readonly asked: string }> {
  const bin = temporaryFolder();
  const asked = join(bin, 'asked');
  writeFileSync(join(bin, 'jcmd'), `#!/bin/sh\necho "$@" >> ${asked}\n`, { mode: 0o755 });
  return { pid: await startFakeJava(['Main'], bin), bin, asked };
}

for (const options of [{ isElectron: false }, { isElectron: true, perl: PERL }])
  testUnless(NO_PROC ?? (existsSync(PERL) ? undefined : 'there is no perl'))(
    `${options.isElectron ? 'Perl' : 'Node'} stops the recording of a program that was killed, over the attach socket`,
    async () => {
      const commands: string[] = [];
      listenAsJvm((verb, command) => {
        commands.push(`${verb} ${command}`);
        return 'Stopped recording.';
      });
      const folder = newFolder();
      const { pid, bin } = await startOther();
      rmSync(join(bin, 'jcmd'));
      const command = stopperOf({ pid, socket, name: 'leanscope-1', folders: [folder] }, options);
      expect(command![0]).toBe(options.perl ?? process.execPath);
      // It was stopped already.
      await end(command, '\n');
      expect([commands, existsSync(folder)]).toEqual([[], true]);
      await end(command);
      expect([commands, existsSync(folder)]).toEqual([['jcmd JFR.stop name=leanscope-1'], false]);
    },
  );

onLinux('jcmd is run only while the JVM has its socket: else it would send a signal', async () => {
  const { pid, bin, asked } = await startOther();
  const stopped = { pid, socket, name: 'leanscope-1', folders: [newFolder()] };
  const command = stopperOf(stopped, { isElectron: true, perl: '/no/perl' });
  rmSync(socket, { force: true });
  await end(command);
  expect([existsSync(asked), existsSync(stopped.folders[0])]).toEqual([false, false]);
  listenAsJvm(() => '');
  await end(command);
  expect(readFileSync(asked, 'utf8')).toBe(`${pid} JFR.stop name=leanscope-1\n`);
  rmSync(join(bin, 'jcmd'));
  expect(stopperOf(stopped, { isElectron: true, perl: '/no/perl' })).toBeUndefined();
});

onLinux('jcmd is run where Perl cannot, as without its module for sockets', async () => {
  const { pid, bin, asked } = await startOther();
  listenAsJvm(() => '');
  const perl = join(bin, 'perl');
  const stopped = { pid, socket, name: 'leanscope-1', folders: [newFolder()] };
  const withPerl = (status: number): Promise<void> => {
    writeFileSync(perl, `#!/bin/sh\nexit ${status}\n`, { mode: 0o755 });
    return end(stopperOf(stopped, { isElectron: true, perl }));
  };
  // It has stopped the recording.
  await withPerl(0);
  expect([existsSync(asked), existsSync(stopped.folders[0])]).toEqual([false, true]);
  await withPerl(2);
  expect(readFileSync(asked, 'utf8')).toBe(`${pid} JFR.stop name=leanscope-1\n`);
  expect(existsSync(stopped.folders[0])).toBe(false);
});

testUnless(NO_PROC ?? (existsSync(PERL) ? undefined : 'there is no perl'))(
  'where both are, Perl alone stops the recording',
  async () => {
    const { pid, asked } = await startOther();
    const commands: string[] = [];
    listenAsJvm((verb, command) => {
      commands.push(`${verb} ${command}`);
      return 'Stopped recording.';
    });
    const stopped = { pid, socket, name: 'leanscope-1', folders: [newFolder()] };
    await end(stopperOf(stopped, { isElectron: true }), '\n');
    expect([commands, existsSync(stopped.folders[0])]).toEqual([[], true]);
    await end(stopperOf(stopped, { isElectron: true }));
    expect([commands, existsSync(asked)]).toEqual([['jcmd JFR.stop name=leanscope-1'], false]);
    expect(existsSync(stopped.folders[0])).toBe(false);
  },
);
