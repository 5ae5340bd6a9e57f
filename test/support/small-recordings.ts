import { JfrChunk, type WrittenFrame } from './jfr-writer/jfr-chunk.ts';

function frame(method: number, line: number, type: WrittenFrame['type'] = 'Interpreted'): WrittenFrame {
  return { method, line, bci: 4, type };
}

/**
 * Two threads, three stacks, one of them truncated; two states; constants before and after the events that use them.
 */
export function cpuChunk(isFinished = true): Uint8Array<ArrayBuffer> {
  const chunk = new JfrChunk(['jdk.ExecutionSample']);
  const [main, worker] = [chunk.thread('main', 1), chunk.thread('w', 300)];
  const [run, add, park] = [
    chunk.method('Shop', 'run'),
    chunk.method('shop/Cart', 'add', '(I)V'),
    chunk.method('U', 'park'),
  ];
  const adding = chunk.stack([frame(add, 12, 'Inlined'), frame(run, 3)]);
  const running = chunk.stack([frame(run, 65535)]);
  const [runnable, sleeping] = [chunk.state('STATE_RUNNABLE'), chunk.state('STATE_SLEEPING')];
  chunk.event('jdk.ExecutionSample', 2_000, main, adding, runnable);
  chunk.event('jdk.ExecutionSample', 3_000, main, running, runnable);
  chunk.event('jdk.ExecutionSample', 3_500, worker, adding, runnable);
  chunk.writePools();
  const parking = chunk.stack([frame(park, 0, 'Native'), frame(run, 5)], true);
  chunk.event('jdk.ExecutionSample', 4_000, main, adding, sleeping);
  chunk.event('jdk.ExecutionSample', 4_500, worker, parking, sleeping);
  return chunk.finish({ isFinished });
}

/** Samples, and everything that a JVM measures besides: its load, pauses of its collections, its heap. */
export function measuredChunk(): Uint8Array<ArrayBuffer> {
  const chunk = new JfrChunk([
    'jdk.JVMInformation',
    'jdk.ExecutionSample',
    'jdk.CPULoad',
    'jdk.GCPhasePause',
    'jdk.GCHeapSummary',
  ]);
  chunk.jvm('Server VM', 'Server VM (17) JRE (17.0.1+2)', '-Xmx1g', 'Shop a');
  const main = chunk.thread('main', 1);
  const stack = chunk.stack([frame(chunk.method('Shop', 'run'), 3)]);
  const runnable = chunk.state('STATE_RUNNABLE');
  chunk.event('jdk.ExecutionSample', 2_000, main, stack, runnable);
  for (const [at, load] of [0.25, 0.5, 1].entries())
    chunk.eventWithFloat('jdk.CPULoad', [2_000 + at * 1_000], load, load / 4, 1);
  chunk.event('jdk.GCHeapSummary', 2_100, 7, 0, 5_000_000_000);
  chunk.event('jdk.GCPhasePause', 2_200, 1_500_000, 7, 0);
  chunk.event('jdk.GCHeapSummary', 2_300, 7, 1, 4_096);
  chunk.event('jdk.ExecutionSample', 4_000, main, stack, runnable);
  return chunk.finish();
}

/** Every other sample type, a thread that is no Java thread, and strings of every kind. */
export function otherChunk(): Uint8Array<ArrayBuffer> {
  const chunk = new JfrChunk(
    ['profiler.WallClockSample', 'jdk.ObjectAllocationSample', 'jdk.JavaMonitorEnter'],
    'chars',
  );
  chunk.pooledSymbol('Shop');
  const [thread, compiler] = [chunk.thread('m\u00e4in', 1), chunk.thread('C2', 0, 77)];
  const stack = chunk.stack([frame(chunk.method('Shop', 'run'), 3)]);
  const [bytes, lock] = [chunk.class('[B'), chunk.class('shop/Lock')];
  chunk.event('profiler.WallClockSample', 2_000, thread, stack, chunk.state('STATE_SLEEPING'), 40);
  chunk.event('profiler.WallClockSample', 2_500, compiler, stack, chunk.state('STATE_RUNNABLE'), 2);
  chunk.event('jdk.ObjectAllocationSample', 2_600, thread, stack, bytes, 4096);
  chunk.event('jdk.JavaMonitorEnter', 2_700, 1_500, thread, stack, lock);
  return chunk.finish();
}
