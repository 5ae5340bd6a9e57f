import { DecoderCode } from '../decoder-code.ts';
import type { ProfileFormat } from '../profile-format.ts';
import { recogniseJavacore, recogniseThreadDump, recogniseThreadDumpJson } from './recognise.ts';

const code = new DecoderCode(() => import('./decoder.ts'));
const jsonCode = new DecoderCode(() => import('./json-decoder.ts'));
const javacoreCode = new DecoderCode(() => import('./javacore-decoder.ts'));

const CPU_TIME = 'CPU time per method: a running thread and one that waits for data may look the same';
const PRECISE_TIME = 'the time of a dump more precisely than to the second';
const PRECISE_TIME_OF_VM = `${PRECISE_TIME}, unless Leanscope has sampled it`;
const ZONE = 'the time zone: times are shown as if they were UTC';

/** Thread dumps of HotSpot VMs, and of programs that write them in a similar form (specs: other formats, Thread dumps). */
export const THREAD_DUMP: ProfileFormat = {
  id: 'thread-dump',
  name: 'Java thread dump',
  listed: { group: 'Traces and dumps', entry: 'Thread dumps' },
  extensions: ['.txt', '.tdump'],
  follows: true,
  beginsAnywhere: true,
  joinsFiles: true,
  joinsEntries: 'lines',
  notRecorded: [CPU_TIME, PRECISE_TIME_OF_VM, ZONE],
  recognise: recogniseThreadDump,
  code,
  createDecoder: (sink, chosen) => new code.module.ThreadDumpDecoder(sink, chosen),
};

/** `jcmd Thread.dump_to_file -format=json`, and the thread dump of Spring Boot's actuator. */
export const THREAD_DUMP_JSON: ProfileFormat = {
  id: 'thread-dump-json',
  name: 'JSON thread dump',
  listed: { group: 'Traces and dumps', entry: 'Thread dumps' },
  extensions: ['.json'],
  follows: false,
  joinsFiles: true,
  joinsEntries: 'lines',
  notRecorded: [CPU_TIME, 'the states of threads, before JDK 25 and unless the actuator wrote it'],
  recognise: recogniseThreadDumpJson,
  code: jsonCode,
  createDecoder: (sink, chosen) => new jsonCode.module.ThreadDumpJsonDecoder(sink, chosen),
};

/** Javacores of OpenJ9 and of IBM's VMs (their documentation: Java dump). */
export const JAVACORE: ProfileFormat = {
  id: 'javacore',
  name: 'OpenJ9 javacore',
  listed: { group: 'Traces and dumps', entry: 'Thread dumps' },
  extensions: ['.txt'],
  follows: true,
  beginsAnywhere: true,
  joinsFiles: true,
  joinsEntries: 'lines',
  notRecorded: [CPU_TIME, PRECISE_TIME, ZONE, 'whether a waiting thread waits for a limited time'],
  recognise: recogniseJavacore,
  code: javacoreCode,
  createDecoder: (sink, chosen) => new javacoreCode.module.JavacoreDecoder(sink, chosen),
};
