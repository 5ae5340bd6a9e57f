/** The writer of a file: Android's SamplingProfiler, the JDK's agent, or another one, usually of a heap dump. */
export type Dialect = 'android' | 'agent';

/**
 * What the counts of a table are.
 *
 *   samples   of cpu=samples and of Android
 *   calls     of cpu=times in a text file; the percentages are the time
 *   cost      of cpu=times in a binary file: milliseconds
 */
export type Counted = 'samples' | 'calls' | 'cost';
