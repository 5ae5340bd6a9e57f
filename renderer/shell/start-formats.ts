import type { LogStatus } from '../../shared/protocol/messages.ts';

type FormatId = NonNullable<LogStatus['format']>;

interface StartFormat {
  readonly name: string;
  /** How such files usually end. */
  readonly files: string;
  /** The formats in this entry. */
  readonly ids: readonly FormatId[];
}

export interface FormatGroup {
  readonly title: string;
  readonly formats: readonly StartFormat[];
}

/** Formats on the start page: every format once (tested), in short form, without loading a decoder. */
export const FORMAT_GROUPS: readonly FormatGroup[] = [
  {
    title: 'JVM profilers',
    formats: [
      { name: 'Honest Profiler', files: '.hpl', ids: ['honest-log'] },
      { name: 'JFR', files: '.jfr', ids: ['jfr'] },
      { name: 'async-profiler', files: '.html', ids: ['async-profiler-html'] },
      { name: 'hprof', files: '.hprof .txt', ids: ['hprof', 'hprof-text'] },
    ],
  },
  {
    title: 'Exchange formats',
    formats: [
      { name: 'Collapsed stacks', files: '.collapsed', ids: ['collapsed'] },
      { name: 'pprof', files: '.pb.gz', ids: ['pprof'] },
      { name: 'OpenTelemetry', files: '.otlp', ids: ['otlp'] },
      { name: 'speedscope', files: '.json', ids: ['speedscope'] },
      { name: 'V8 CPU profile', files: '.cpuprofile', ids: ['cpuprofile'] },
    ],
  },
  {
    title: 'Traces and dumps',
    formats: [
      {
        name: 'Thread dumps',
        files: '.txt .json',
        ids: ['thread-dump', 'thread-dump-json', 'javacore'],
      },
      { name: 'TPTP', files: '.trcbin .trcxml', ids: ['tptp', 'tptp-xml'] },
      {
        name: 'SkyWalking',
        files: '.tar.gz .data',
        ids: ['skywalking-archive', 'skywalking-snapshots'],
      },
    ],
  },
];
