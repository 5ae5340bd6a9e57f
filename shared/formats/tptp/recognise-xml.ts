import { is, isNot, isPossible, type Recognition } from '../profile-format.ts';
import { messageOfName, MESSAGES } from '../../tptp/messages.ts';

/**
 * A root TRACE, or an element of a trace with one of its attributes, first of all that is no declaration or comment.
 * A beginning of that is possible.
 */
export function recogniseXml(head: Uint8Array): Recognition {
  const text = new TextDecoder('latin1').decode(head).replace(/^\xef\xbb\xbf/, '');
  const rest = text.replace(/^(?:\s+|<\?[^]*?\?>|<!--[^]*?-->|<![A-Z][^<>[]*(?:\[[^\]]*\]\s*)?>)+/, '');
  if (rest === '') return isPossible(0.1, 'nothing but a beginning of XML is there');
  if (!rest.startsWith('<')) return isNot(0, 'it does not begin with <');
  if (/^<[?!]/.test(rest)) return isPossible(0.2, 'its XML declaration has no end');
  if (/^<TRACE[\s/>]/.test(rest)) return is('it begins with <TRACE>');
  const [, name, attributes, end] = /^<([^\s/>]*)([^>]*)(>?)/.exec(rest) ?? ['', '', '', ''];
  const because = `its first element is <${name.slice(0, 40)}>, which no trace has`;
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
    : isNot(0.5, `its first element <${name}> has no attribute of a trace`);
}
