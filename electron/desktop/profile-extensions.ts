/**
 * File extensions for the file dialog; the format of a file is recognised by its content. The formats have these
 * extensions too (a test compares both), but importing them would load the detection of all formats into the main
 * process.
 */
export const PROFILE_EXTENSIONS = [
  ...[
    'hpl',
    'hprof',
    'jfr',
    'trcbin',
    'trcxml',
    'collapsed',
    'folded',
    'pprof',
    'pb',
    'prof',
    'speedscope',
    'otlp',
  ],
  ...['cpuprofile', 'json', 'html', 'txt', 'tdump', 'data', 'tar', 'tgz', 'gz', 'zip'],
];
