/** The label of samples that were taken in no context with the attribute by which threads are grouped. */
export const NO_CONTEXT = 'No request';

/**
 * A frame's label, split into parts that are drawn differently: people look for the name.
 *
 *   label      (4711) java.util.HashMap$Node.get:12
 *   id         (4711)␣
 *   package           java.util.
 *   name                        HashMap$Node.get
 *   position                                    :12
 */
interface FrameLabel {
  /** `(method id)` and a blank, when frames are grouped by method id; else empty. */
  readonly id: string;
  /** Ends with its last dot. */
  readonly package: string;
  readonly name: string;
  /** Colon and line or BCI, as `:12` or `:bci 12`; `:?` for a line that is not known; empty if frames are grouped by method or the position is not known. */
  readonly position: string;
  /** Not shown: a colon and the negative number for an unknown line, no BCI or a native method. Otherwise empty. */
  readonly hidden: string;
}

/** Pattern$Branch.match may be shortened to Branch.match. Not for anonymous classes and lambdas, which have no name. */
const INNER_CLASS = /\$((?!Lambda\.)[A-Za-z_][^.$]*\.[^.]*)$/;
const ID = /^\(-?\d+\) /;
const POSITION = /:(?:-?\d+|bci \d+|\?)$/;
const UNKNOWN_POSITION = /:-\d+$/;
const VISIBLE = /[^\p{C}\p{Z}]/u;
const NO_NAME = '(no name)';
/**
 * Names of hidden classes end with an address or a number, which looks like another part of the name:
 * Foo$$Lambda$14.0x00080c03000, Foo$$Lambda/0x00080c03000, Foo$$Lambda$83+0x00007f4a04007c10.1043351526.
 */
const HIDDEN_CLASS_ADDRESS = /(?:[.+/]0x[0-9a-f]+)?(?:\.\d+)?$/i;

const LAMBDA_NUMBER = /(?<=\$\$Lambda)\$\d+$/;

/** Splits a label. Its parts, joined in their order, are the label. */
export function splitFrameLabel(label: string): FrameLabel {
  const number = POSITION.exec(label)?.[0] ?? '';
  const position = number.startsWith(':-') ? '' : number;
  const hidden = position === '' ? number : '';
  const text = label.slice(0, label.length - number.length);
  if (label.startsWith('<')) return { id: '', package: '', name: text, position, hidden };
  const id = ID.exec(text)?.[0] ?? '';
  const qualified = text.slice(id.length);
  const methodDot = qualified.lastIndexOf('.');
  if (methodDot < 0) return { id, package: '', name: qualified, position, hidden };
  const classEnd = methodDot - (HIDDEN_CLASS_ADDRESS.exec(qualified.slice(0, methodDot))?.[0].length ?? 0);
  // Some formats write packages with slashes.
  const packageEnd =
    classEnd === 0
      ? 0
      : Math.max(qualified.lastIndexOf('.', classEnd - 1), qualified.lastIndexOf('/', classEnd - 1)) + 1;
  // The class of an allocated object, as a frame: `java.lang.Double` is no method of a class `lang`.
  const isClass = /[.]\p{Ll}[^.]*[.]\p{Lu}[^.]*$/u.test(`.${qualified}`);
  const nameAt = isClass ? methodDot + 1 : packageEnd;
  return { id, package: qualified.slice(0, nameAt), name: qualified.slice(nameAt), position, hidden };
}

/**
 * The range of the address or number of a hidden class in the name of a frame: `.0x00080c03000` in
 * `Foo$$Lambda$14.0x00080c03000.run`. An empty range if there is none.
 */
export function hiddenAddress(name: string): { readonly from: number; readonly to: number } {
  const to = Math.max(0, name.lastIndexOf('.'));
  return { from: to - (HIDDEN_CLASS_ADDRESS.exec(name.slice(0, to))?.[0].length ?? 0), to };
}

/** A label without the address or number of a hidden class: `Foo$$Lambda$14….run`. */
export function withoutAddress(label: string): string {
  const { id, package: path, name, position } = splitFrameLabel(label);
  const { from, to } = hiddenAddress(name);
  return `${id}${path}${from < to ? `${name.slice(0, from)}\u2026${name.slice(to)}` : name}${position}`;
}

/** A label without package and address, as a sentence names it: `HashMap$Node.get:12`. */
export function nameOfLabel(label: string): string {
  const { name, position } = splitFrameLabel(withoutAddress(label));
  return name + position;
}

/** A label as it is shown: without the number for an unknown position. A label without visible characters is replaced. */
export function shownLabel(label: string): string {
  return VISIBLE.test(label) ? label.replace(UNKNOWN_POSITION, '') : NO_NAME;
}

/**
 * The forms in which a frame's label may be shown, longest first: complete but for numbers of lambdas, without package, also without position, also
 * without outer class, only the method.
 */
export function labelForms(label: string): readonly string[] {
  const { id, package: path, name: whole, position } = splitFrameLabel(label);
  const { from, to } = hiddenAddress(whole);
  // A number or an address tells nobody anything: the complete label has it.
  const name = `${whole.slice(0, from).replace(LAMBDA_NUMBER, '')}${whole.slice(to)}`;
  const inner = INNER_CLASS.exec(name)?.slice(1) ?? [];
  return [
    id + path + name + position,
    name + position,
    name,
    ...inner,
    name.slice(name.lastIndexOf('.') + 1),
  ];
}

/** Shortens a long text in the middle, because file names often differ only at their ends: `very-lo…-7.hpl`. */
export function elideMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const tail = Math.floor((length - 1) / 2);
  return `${truncate(text, length - 1 - tail)}\u2026${text.slice(text.length - tail).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

/** The first `length` code units, without half of a surrogate pair at the end. */
function truncate(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
