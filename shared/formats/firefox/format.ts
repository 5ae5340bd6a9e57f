import { is, isNot, isPossible, type ProfileFormat } from '../profile-format.ts';
import { FirefoxDecoder } from './decoder.ts';

/** Processed profiles, as samply, Firefox and many converters write them (specs: Firefox Profiler). */
export const FIREFOX: ProfileFormat = {
  id: 'firefox',
  name: 'Firefox Profiler profile',
  listed: { group: 'Exchange formats', entry: 'Firefox Profiler, samply' },
  extensions: ['.json', '.json.gz'],
  follows: false,
  notRecorded: [
    'whether a stack was truncated',
    'names of functions, in a recording of samply that was not symbolicated',
    'CPU time, unless the profiler measured it',
  ],
  recognise: (head) => {
    const text = new TextDecoder().decode(head);
    if (!/^\ufeff?\s*\{/.test(text)) return isNot(0, 'it is not a JSON object');
    if (/"preprocessedProfileVersion"\s*:/.test(text))
      return is('it names the version of a processed profile of the Firefox Profiler');
    return isPossible(0.2, 'it names no version of a processed profile of the Firefox Profiler');
  },
  createDecoder: (sink, chosen) => new FirefoxDecoder(sink, chosen),
};
