import { readFileSync } from 'node:fs';

let names: ReadonlyMap<number, string> | undefined;

/** The name of a user id by /etc/passwd, else the number. The file is read once. */
export function userName(id: number): string {
  names ??= readNames();
  return names.get(id) ?? String(id);
}

function readNames(): ReadonlyMap<number, string> {
  try {
    return parsePasswords(readFileSync('/etc/passwd', 'utf8'));
  } catch {
    return new Map();
  }
}

/** `text`: lines `name:password:id:…`. The first name of an id counts. */
function parsePasswords(text: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const line of text.split('\n')) {
    const match = /^([^:]+):[^:]*:(\d+):/.exec(line);
    if (match !== null && !found.has(Number(match[2]))) found.set(Number(match[2]), match[1]);
  }
  return found;
}
