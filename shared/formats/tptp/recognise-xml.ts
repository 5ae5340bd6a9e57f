import { is, isNot, isPossible, type Recognition } from '../profile-format.ts';
import { messageOfName, MESSAGES } from '../../tptp/messages.ts';

/**
 * The first element after declarations and comments must be <TRACE>, or an event that has one of its attributes. If
 * `head` ends before that is certain, the verdict is 'possible'.
 */
export function recogniseXml(head: Uint8Array): Recognition {
  const text = new TextDecoder('latin1').decode(head).replace(/^\xef\xbb\xbf/, '');
  const rest = text.replace(/^(?:\s+|<\?[^]*?\?>|<!--[^]*?-->|<![A-Z][^<>[]*(?:\[[^\]]*\]\s*)?>)+/, '');
  if (rest === '') return isPossible(0.1, 'it has no XML element');
  if (!rest.startsWith('<')) return isNot(0, 'it does not begin with <');
  if (/^<[?!]/.test(rest)) return isPossible(0.2, 'its XML declaration is incomplete');
  if (/^<TRACE[\s/>]/.test(rest)) return is('it begins with <TRACE>');
  const [, name, attributes, end] = /^<([^\s/>]*)([^>]*)(>?)/.exec(rest) ?? ['', '', '', ''];
  const because = `its first element is <${name.slice(0, 40)}>, which TPTP traces do not have`;
  if (attributes === '' && end === '')
    return 'TRACE'.startsWith(name) || MESSAGES.some((each) => each.name.startsWith(name))
      ? isPossible(0.5, because)
      : isNot(0.1, because);
  const message = messageOfName(name);
  if (message === undefined) return isNot(0.1, because);
  const has = message.attributes.find((attribute) =>
    new RegExp(`\\s${attribute.name}\\s*=`).test(attributes),
  );
  if (has !== undefined) return is(`it begins with <${name} ${has.name}=…>`);
  return end === ''
    ? isPossible(0.6, because)
    : isNot(0.5, `its first element <${name}> has none of the attributes of this event`);
}
