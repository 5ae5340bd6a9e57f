import { is, isNot, isPossible, type ProfileFormat } from '../profile-format.ts';
import { SpeedscopeDecoder } from './decoder.ts';

const SCHEMA = 'www.speedscope.app/file-format-schema.json';

/** Some tools leave the name of the schema out. */
const SHARED_FRAMES = /"shared"\s*:\s*\{\s*"frames"\s*:\s*\[/;
const PROFILES = /"profiles"\s*:\s*\[/;
const VALUES = /"(?:startValue|endValue)"\s*:/;

/** speedscope's own format (specs: other formats; https://www.speedscope.app/file-format-schema.json). */
export const SPEEDSCOPE: ProfileFormat = {
  id: 'speedscope',
  name: 'speedscope file',
  listed: { group: 'Exchange formats', entry: 'speedscope' },
  extensions: ['.speedscope.json', '.json'],
  follows: false,
  notRecorded: [
    'when it was recorded',
    'threads, unless each is a profile of its own',
    'whether a stack was truncated',
  ],
  recognise: (head) => {
    const text = new TextDecoder().decode(head);
    if (!/^\ufeff?\s*\{/.test(text)) return isNot(0, 'it is not a JSON object');
    if (text.includes(SCHEMA)) return is('it names the schema of speedscope');
    if (SHARED_FRAMES.test(text) && PROFILES.test(text) && VALUES.test(text))
      return is('it has shared frames and profiles with values, as speedscope does');
    return isPossible(0.2, 'it does not name the schema of speedscope');
  },
  createDecoder: (sink, chosen) => new SpeedscopeDecoder(sink, chosen),
};
