/** Characters that a fragment may have as they are, so that it can be read: those of names and signatures. */
const READABLE: Readonly<Record<string, string>> = {
  '%24': '$',
  '%2C': ',',
  '%2F': '/',
  '%3A': ':',
  '%3B': ';',
  '%3F': '?',
  '%40': '@',
};

/** `name=value` as a part of a fragment. */
export function field(name: string, value: string): string {
  const encoded = encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\u{fffd}'));
  return `${name}=${encoded.replace(/%2[4CF]|%3[ABF]|%40/g, (code) => READABLE[code])}`;
}

/** Its name and its value; both empty if it is none. */
export function readField(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 0) return ['', ''];
  try {
    return [text.slice(0, at), decodeURIComponent(text.slice(at + 1))];
  } catch {
    return ['', ''];
  }
}
