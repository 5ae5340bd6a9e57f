import { expect } from 'vitest';
import { OwnRecording } from '../../../electron/recording/flight-recorder.ts';
import type { RecordedType } from '../../../shared/facts/recording-choice.ts';
import { listenAsJvm } from '../../support/fake-attach-socket.ts';
import { jvmOf } from '../../support/fake-jvm.ts';
import { onLinux } from '../../support/test-unless.ts';

/** The options of `JFR.start` but its name. */
async function optionsOf(version: string, types?: readonly RecordedType[]): Promise<readonly string[]> {
  const commands: string[] = [];
  listenAsJvm((_, command) => {
    commands.push(command);
    return command.startsWith('JFR.start') ? 'Started recording 1.' : 'Repository path: /tmp';
  });
  const recording = await OwnRecording.start({ ...jvmOf(), version }, 'default', types);
  await recording.stop();
  const [started, ...more] = commands.filter((command) => command.startsWith('JFR.start'));
  expect(more).toEqual([]);
  return started.split(' ').slice(2);
}

const ALWAYS = ['settings=default', 'maxsize=250m', 'path-to-gc-roots=false'];
const FLUSH = 'flush-interval=1s';
const disabled = (...events: readonly string[]): readonly string[] =>
  events.map((event) => `jdk.${event}#enabled=false`);

onLinux('JDK 14 to 16 flush without being told, and do not know the option', async () => {
  for (const version of ['14', '15.0.2', '16.0.1']) expect(await optionsOf(version)).toEqual(ALWAYS);
  for (const version of ['17', '21.0.4']) expect(await optionsOf(version)).toEqual([...ALWAYS, FLUSH]);
  expect(await optionsOf('25.0.1')).toEqual([...ALWAYS, FLUSH, 'jdk.CPUTimeSample#enabled=true']);
});

onLinux('sample types that are not wanted are left out, where the JVM knows how', async () => {
  const locks = ['JavaMonitorEnter', 'JavaMonitorWait', 'ThreadPark', 'ThreadSleep'];
  expect(await optionsOf('17.0.12', ['cpu'])).toEqual([
    ...ALWAYS,
    FLUSH,
    ...disabled('ObjectAllocationSample', ...locks),
  ]);
  expect(await optionsOf('21.0.4', ['allocations', 'locks', 'cpu-time'])).toEqual([
    ...ALWAYS,
    FLUSH,
    ...disabled('ExecutionSample', 'NativeMethodSample'),
  ]);
  expect(await optionsOf('25.0.1', ['cpu-time', 'locks'])).toEqual([
    ...ALWAYS,
    FLUSH,
    ...disabled('ExecutionSample', 'NativeMethodSample'),
    'jdk.CPUTimeSample#enabled=true',
    ...disabled('ObjectAllocationSample'),
  ]);
  expect(await optionsOf('16.0.1', ['cpu'])).toEqual(ALWAYS);
});
