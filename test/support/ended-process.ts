import { spawnSync } from 'node:child_process';
import { type RecordingProcess, thisProcess } from '../../electron/recording/recording-name.ts';

/** A process of this pid namespace that has ended. */
export function endedProcess(): RecordingProcess {
  const { stdout } = spawnSync('sh', ['-c', 'cut -d" " -f1,22 /proc/self/stat'], { encoding: 'utf8' });
  const [pid, startTicks] = stdout.split(' ').map(Number);
  return { ...thisProcess(), pid, startTicks };
}
