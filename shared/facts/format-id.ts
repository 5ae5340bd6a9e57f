/** The formats that Leanscope reads. */
export type FormatId =
  | 'honest-log'
  | 'jfr'
  | 'pprof'
  | 'tptp'
  | 'tptp-xml'
  | 'skywalking-archive'
  | 'skywalking-snapshots'
  | 'skywalking-yaml'
  | 'thread-dump'
  | 'thread-dump-json'
  | 'javacore'
  | 'hprof'
  | 'hprof-text'
  | 'collapsed'
  | 'speedscope'
  | 'cpuprofile'
  | 'async-profiler-html';
