import { PACKED_MAGIC, PAGE_DATA_ID } from '../../page/page-ids.ts';
import { is, isNot, isPossible, type ProfileFormat } from '../profile-format.ts';
import { LeanscopePageDecoder } from './decoder.ts';

const GENERATOR = /<meta name="generator" content="Leanscope\b/;

/** Pages to send and flame graphs as SVG that Leanscope has written, with their profile in them. */
export const LEANSCOPE_PAGE: ProfileFormat = {
  id: 'leanscope-page',
  name: 'Leanscope page',
  listed: { group: 'Exchange formats', entry: 'Leanscope page' },
  extensions: ['.html', '.svg'],
  follows: false,
  notRecorded: ['what its maker left out'],
  recognise: (head) => {
    const text = new TextDecoder().decode(head);
    if (text.startsWith(PACKED_MAGIC)) return is('it begins as profiles that Leanscope has packed');
    if (/^\ufeff?\s*<(!doctype html|html)/i.test(text))
      return GENERATOR.test(text)
        ? is('it is a page that Leanscope has written')
        : isPossible(0.3, 'its page does not name Leanscope');
    if (!/^\ufeff?\s*<(\?xml|svg)\b/.test(text)) return isNot(0, 'it is neither HTML nor SVG');
    return text.includes(`<metadata id="${PAGE_DATA_ID}"`)
      ? is('its drawing has a profile in it')
      : isPossible(0.3, 'its drawing has no profile in it');
  },
  createDecoder: (sink, chosen) => new LeanscopePageDecoder(sink, chosen),
};
