/**
 * File extensions for the file dialog; the format of a file is recognised by its content. Repeated here because
 * importing the formats would load every decoder into the main process.
 */
export const PROFILE_EXTENSIONS = [
  ...['hpl', 'hprof', 'jfr', 'trcbin', 'trcxml', 'collapsed', 'folded', 'pprof', 'pb', 'prof', 'speedscope'],
  ...['cpuprofile', 'json', 'html', 'txt', 'tdump', 'yml', 'yaml', 'data', 'tar', 'tgz', 'gz', 'zip'],
];
