import { is, isNot, isPossible, type ProfileFormat } from '../profile-format.ts';
import { AsyncProfilerHtmlDecoder } from './decoder.ts';

const CANVAS = /<canvas\b[^<>]*\bid=["']?canvas\b/;
const MAKERS = /async-profiler|Andrei Pangin/;

/** Flame graph pages of async-profiler and its converter (specs: other formats, async-profiler HTML). */
export const ASYNC_PROFILER_HTML: ProfileFormat = {
  id: 'async-profiler-html',
  name: 'async-profiler flame graph',
  listed: { group: 'JVM profilers', entry: 'async-profiler' },
  extensions: ['.html'],
  follows: false,
  notRecorded: [
    'when a sample was taken',
    'frames too narrow to be drawn: their samples count for their callers',
    'lines, unless the names of frames contain them',
    'threads, unless they are the first frame',
  ],
  recognise: (head) => {
    const text = new TextDecoder().decode(head);
    if (!/^\ufeff?\s*<(!doctype html|html)/i.test(text)) return isNot(0, 'it is not HTML');
    const isMade = MAKERS.test(text);
    // The canvas follows the style sheet, which grows from version to version.
    if (isMade && CANVAS.test(text)) return is('its page is drawn by async-profiler');
    return isPossible(0.3, isMade ? 'its page has no canvas' : 'its page does not name async-profiler');
  },
  createDecoder: (sink) => new AsyncProfilerHtmlDecoder(sink),
};
