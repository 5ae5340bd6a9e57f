import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { FlightRecorder } from '../../../electron/recording/flight-recorder.ts';
import { type AttachedJvm, isRunning } from '../../../electron/jvm/attach.ts';
import { processTimes } from '../../../electron/jvm/process-places.ts';
import {
  isAbandoned,
  isOwnName,
  newRecordingName,
  thisProcess,
} from '../../../electron/recording/recording-name.ts';
import { endedProcess } from '../../support/ended-process.ts';
import { onLinux } from '../../support/test-unless.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Which of these recordings of a JVM are stopped. */
async function stopped(names: readonly string[]): Promise<readonly string[]> {
  const commands: string[] = [];
  const jvm = {
    pid: process.pid,
    jcmd: (command: string) => {
      commands.push(command);
      return Promise.resolve(names.map((name, at) => `Recording ${at}: name=${name} (running)`).join('\n'));
    },
  } as unknown as AttachedJvm;
  await new FlightRecorder(jvm).stopAbandoned();
  return commands.filter((command) => command.startsWith('JFR.stop')).map((command) => command.slice(14));
}

onLinux(
  'recordings of processes that have ended are stopped, also if another one has the pid now',
  async () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    onTestFinished(() => void child.kill());
    await once(child, 'spawn');
    const here = thisProcess();
    const pid = child.pid!;
    const { startTicks } = processTimes(pid)!;
    const ended = newRecordingName(endedProcess());
    const reused = newRecordingName({ ...here, pid, startTicks: startTicks - 1 });
    const running = newRecordingName({ ...here, pid, startTicks });
    expect([newRecordingName(), ended, reused, running].every(isOwnName)).toBe(true);
    expect(await stopped([newRecordingName(), running, ended, reused])).toEqual([ended, reused]);
  },
);

onLinux('a process that has ended, and whose parent has not noticed, has ended', async () => {
  // The parent becomes another program, which waits for no child.
  const parent = spawn('sh', ['-c', 'exec 3<&0; cat <&3 & echo $!; exec sleep 60'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void parent.kill());
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  await waitFor(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n', 'the other program');
  parent.stdin.end();
  await waitFor(() => processTimes(pid)?.hasEnded !== false, 'the end');
  const { startTicks } = processTimes(pid)!;
  expect(isRunning({ pid, startTicks, userId: 0 })).toBe(false);
  const recording = newRecordingName({ ...thisProcess(), pid, startTicks });
  expect(await stopped([recording])).toEqual([recording]);
});

onLinux(
  'a recording of another container is left alone, where its pid is that of another process',
  async () => {
    const here = thisProcess();
    const ended = endedProcess();
    const there = newRecordingName({ ...ended, namespace: here.namespace + 1 });
    expect(await stopped([there, 'leanscope-1-ab', `leanscope-${ended.pid}-ab`])).toEqual([]);
    expect(isOwnName(there)).toBe(true);
    // Nobody knows in which namespace this one is, so nothing can be judged by it.
    const nowhere = { ...here, namespace: 0 };
    expect(isAbandoned(newRecordingName({ ...ended, namespace: 0 }), nowhere)).toBe(false);
    expect(isAbandoned(newRecordingName(ended), nowhere)).toBe(false);
  },
);
