/**
 * A frame's label in its parts, so that the part that people look for can stand out.
 *
 *   label      (4711) java.util.HashMap$Node.get:12
 *   id         (4711)␣
 *   package           java.util.
 *   name                        HashMap$Node.get
 *   position                                    :12
 */
export interface FrameLabel {
  /** `(method id)` and a blank, when frames are grouped by method id; else empty. */
  readonly id: string;
  /** With its last dot. */
  readonly package: string;
  readonly name: string;
  /** Colon and line or BCI; empty when frames are grouped by method, and where the position is not known. */
  readonly position: string;
  /** What is not shown: a colon and the negative number that stands for an unknown line, no BCI or a native method. */
  readonly hidden: string;
}

/** Pattern$Branch.match may be Branch.match; an anonymous class or a lambda has no name of its own. */
const INNER_CLASS = /\$([A-Za-z_][^.$]*\.[^.]*)$/;
const ID = /^\(-?\d+\) /;
const POSITION = /:-?\d+$/;
const UNKNOWN_POSITION = /:-\d+$/;
/**
 * Hidden classes carry their address or a number as if it were one more part of the name:
 * Foo$$Lambda$14.0x00080c03000, Foo$$Lambda/0x00080c03000, Foo$$Lambda$83+0x00007f4a04007c10.1043351526.
 */
const HIDDEN_CLASS_ADDRESS = /(?:[.+/]0x[0-9a-f]+)?(?:\.\d+)?$/i;

/** Parts in order; together they are the label again. */
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
  return { id, package: qualified.slice(0, packageEnd), name: qualified.slice(packageEnd), position, hidden };
}

/**
 * Where the name of a frame has the address or number of a hidden class, from the last part of the class up to the
 * method: `.0x00080c03000` of `Foo$$Lambda$14.0x00080c03000.run`. Empty where there is none.
 */
export function hiddenAddress(name: string): { readonly from: number; readonly to: number } {
  const to = Math.max(0, name.lastIndexOf('.'));
  return { from: to - (HIDDEN_CLASS_ADDRESS.exec(name.slice(0, to))?.[0].length ?? 0), to };
}

/** A label as people read it: without the number that stands for an unknown position. */
export function shownLabel(label: string): string {
  return label.replace(UNKNOWN_POSITION, '');
}

/**
 * What a frame's label may be shown as, longest first: all of it, without its package, without its position, without the
 * outer class, the method.
 */
export function labelForms(label: string): readonly string[] {
  const { id, package: path, name, position } = splitFrameLabel(label);
  const inner = INNER_CLASS.exec(name)?.slice(1) ?? [];
  return [
    id + path + name + position,
    name + position,
    name,
    ...inner,
    name.slice(name.lastIndexOf('.') + 1),
  ];
}

/** Keeps the ends of a long text, which tell file names apart: `very-lo…-7.hpl`. */
export function elideMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const tail = Math.floor((length - 1) / 2);
  return `${truncate(text, length - 1 - tail)}\u2026${text.slice(text.length - tail).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

/** The first `length` code units, without half of a surrogate pair at the end. */
function truncate(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
