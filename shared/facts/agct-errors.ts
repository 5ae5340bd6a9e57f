import { formatCount } from '../text/format-value.ts';

/** Why AsyncGetCallTrace returned no stack. */
interface AgctError {
  /** Method name of its pseudo frame, as Honest Profiler writes it; it lacks 'Err' in the fourth, too. */
  readonly frame: string;
  /** In a few words. */
  readonly name: string;
  /** A sentence: what the thread did. */
  readonly why: string;
  /** A sentence: what to do. */
  readonly advice: string;
}

const NO_REMEDY = 'Nothing can be done about it; a few per cent are usual.';

/** -code -> error (specs: HotSpot forte.cpp, Honest Profiler LogParser). */
export const AGCT_ERRORS: readonly AgctError[] = [
  {
    frame: 'NoJavaFramesErr0',
    name: 'no Java frames',
    why: 'The thread ran no Java code: it belongs to the JVM, such as a compiler or collector thread, or was just starting.',
    advice: 'Select the threads of your program to leave these out.',
  },
  {
    frame: 'NoClassLoadErr1',
    name: 'no class load events',
    why: 'The JVM did not report loaded classes to the agent, so methods had no ids.',
    advice: 'Load the agent when the JVM starts, not later.',
  },
  {
    frame: 'GcActiveErr2',
    name: 'garbage collection',
    why: 'The JVM was collecting garbage, and stacks cannot be walked meanwhile.',
    advice: 'If there are many, look at the log of the garbage collector and at who allocates.',
  },
  {
    frame: 'UnknownNotJava3',
    name: 'unknown, not Java',
    why: 'The thread was in native code or in the JVM, and its last Java frame was not found.',
    advice: 'If there are many, use a profiler that walks native stacks, such as async-profiler.',
  },
  {
    frame: 'NotWalkableNotJavaErr4',
    name: 'not walkable, not Java',
    why: 'The thread was in native code or in the JVM, and the Java frames below it could not be walked.',
    advice: 'If there are many, use a profiler that walks native stacks, such as async-profiler.',
  },
  {
    frame: 'UnknownJavaErr5',
    name: 'unknown, Java',
    why: 'The thread ran Java code, but its top frame was not known: mostly a stub of the JVM, or a method that was just being entered or left.',
    advice: 'Small, hot methods and intrinsics cause it: compare with a recording of JFR or async-profiler.',
  },
  {
    frame: 'NotWalkableJavaErr6',
    name: 'not walkable, Java',
    why: 'The thread ran Java code, but the frames below the top one could not be walked.',
    advice: 'Start the JVM with -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints, and compare.',
  },
  {
    frame: 'UnknownStateErr7',
    name: 'unknown state',
    why: 'The thread was changing between Java, native code and the JVM.',
    advice: NO_REMEDY,
  },
  {
    frame: 'ThreadExitErr8',
    name: 'thread exit',
    why: 'The thread was ending.',
    advice: 'If there are many, threads live too short: use a thread pool.',
  },
  {
    frame: 'DeoptErr9',
    name: 'deoptimization',
    why: 'The JVM was replacing compiled frames by interpreted ones.',
    advice:
      'If there are many, look at -Xlog:deoptimization for methods that are deoptimized again and again.',
  },
  {
    frame: 'SafepointErr10',
    name: 'safepoint',
    why: 'The JVM had stopped all threads at a safepoint.',
    advice: 'If there are many, look at -Xlog:safepoint for operations that stop the program.',
  },
];

const UNKNOWN_ERROR: AgctError = {
  frame: '',
  name: 'unknown code',
  why: 'The agent wrote an error code that AsyncGetCallTrace does not have.',
  advice: 'The log may be damaged, or the JVM is one that uses further codes.',
};

/** The error with a code: 0 or negative, as text. */
export function agctError(code: string): AgctError {
  return AGCT_ERRORS[-Number(code)] ?? UNKNOWN_ERROR;
}

/** Why samples have no stack, in a sentence, and how many of those in scope have which error, the most frequent first. */
export function noStackText(errorKinds: Readonly<Record<string, number>>): string {
  const kinds = Object.entries(errorKinds)
    .sort(([, a], [, b]) => b - a)
    .map(([frame, count]) => {
      const { name } = AGCT_ERRORS.find((error) => error.frame === frame) ?? UNKNOWN_ERROR;
      return `${name} ${formatCount(count)}`;
    });
  const why = 'The stacks of these samples could not be read, or are those of threads of the JVM.';
  return kinds.length === 0 ? why : `${why} In scope: ${kinds.join(' \u00b7 ')}.`;
}
