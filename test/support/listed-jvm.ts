import { AttachedJvm } from '../../electron/jvm/attach.ts';
import { FlightRecorder } from '../../electron/recording/flight-recorder.ts';
import type { Jvm } from '../../electron/jvm/jvm.ts';
import { JvmList } from '../../electron/jvm/jvm-list.ts';

/** What a list says of a JVM that runs. */
export function listedJvm(pid: number, list = new JvmList()): Jvm {
  const jvm = list.read().find((each) => each.pid === pid);
  if (jvm === undefined) throw new Error(`${pid} is not listed`);
  return jvm;
}

/** The flight recordings of a JVM, looked at as another program would. */
export async function recorderOf(pid: number): Promise<FlightRecorder> {
  return new FlightRecorder(await AttachedJvm.open(listedJvm(pid)));
}
