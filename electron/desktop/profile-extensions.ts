/**
 * What profiles are called, for the file dialog; what a file is, its content tells. Said here again, because the formats
 * themselves would bring every decoder into the main process.
 */
export const PROFILE_EXTENSIONS = [
  ...['hpl', 'hprof', 'jfr', 'trcbin', 'trcxml', 'collapsed', 'folded', 'pprof', 'pb', 'prof', 'speedscope'],
  ...['cpuprofile', 'json', 'html', 'txt', 'tdump', 'yml', 'yaml', 'data', 'tar', 'tgz', 'gz', 'zip'],
];
