/** The writer of a file: Android's SamplingProfiler or the JDK's agent. */
export type Dialect = 'android' | 'agent';

/**
 * Meaning of the counts in a table.
 *
 *   samples   cpu=samples, and Android
 *   calls     cpu=times in a text file, where the percentages are times
 *   cost      cpu=times in a binary file: milliseconds
 */
export type Counted = 'samples' | 'calls' | 'cost';
