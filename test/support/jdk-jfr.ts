import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { QUICK_START } from './test-jvm.ts';

/** An event as `jfr print --json` prints it, as far as tests look at it. */
export interface PrintedEvent {
  readonly type: string;
  readonly values: {
    readonly sampledThread?: PrintedThread | null;
    readonly eventThread?: PrintedThread | null;
    readonly stackTrace: { readonly frames: readonly PrintedFrame[] } | null;
    readonly weight?: number;
    /** `PT0.015123456S` */
    readonly duration?: string;
    readonly samplingPeriod?: string;
  };
}

interface PrintedThread {
  readonly javaName: string | null;
  readonly osName: string;
}

interface PrintedFrame {
  readonly method: { readonly type: { readonly name: string }; readonly name: string };
  readonly lineNumber: number;
  readonly bytecodeIndex: number;
}

/** Event -> how many of them the JDK's own `jfr summary` counts in a recording. */
export function summaryOf(home: string, file: string): ReadonlyMap<string, number> {
  const rows = jfr(home, 'summary', file).matchAll(/^ *([\w.$]+) +(\d+) +\d+$/gm);
  return new Map(Array.from(rows, ([, event, count]) => [event, Number(count)]));
}

/** Events of a recording as the JDK's own `jfr print` reads them, with whole stacks. */
export function printedEvents(
  home: string,
  file: string,
  events: readonly string[],
): readonly PrintedEvent[] {
  const text = jfr(home, 'print', '--json', '--stack-depth', '64', '--events', events.join(), file);
  return (JSON.parse(text) as { recording: { events: PrintedEvent[] } }).recording.events;
}

function jfr(home: string, command: string, ...args: readonly string[]): string {
  const options = QUICK_START.map((option) => `-J${option}`);
  const { status, stdout, stderr } = spawnSync(join(home, 'bin/jfr'), [...options, command, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(`jfr ${command} failed: ${stderr}`);
  return stdout;
}
