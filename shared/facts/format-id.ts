/** The formats that Leanscope reads. */
export type FormatId =
  | 'honest-log'
  | 'jfr'
  | 'pprof'
  | 'otlp'
  | 'tptp'
  | 'tptp-xml'
  | 'skywalking-archive'
  | 'skywalking-snapshots'
  | 'thread-dump'
  | 'thread-dump-json'
  | 'javacore'
  | 'hprof'
  | 'hprof-text'
  | 'collapsed'
  | 'speedscope'
  | 'cpuprofile'
  | 'async-profiler-html';
