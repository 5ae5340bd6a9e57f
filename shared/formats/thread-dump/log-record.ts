/** The texts of records in the JSON of Docker, Logstash, journald and others. */
const TEXT_KEYS = ['log', 'message', 'msg', 'MESSAGE', 'textPayload', 'line'] as const;
const TEXT = new RegExp(`"(?:${TEXT_KEYS.join('|')})"\\s*:\\s*"`);
/** A longer line is no record. */
const MOST_LENGTH = 4 << 20;

/**
 * The text of a log record that is a line of JSON; undefined if the line is none.
 *
 *   {"log":"\"main\" #1 prio=5 tid=0x01 nid=101 runnable\n","stream":"stdout","time":"2026-11-27T23:11:10.593125143Z"}
 */
export function textOfRecord(line: string): string | undefined {
  const isPossible = line.startsWith('{') && line.length <= MOST_LENGTH && line.trimEnd().endsWith('}');
  if (!isPossible || !TEXT.test(line)) return undefined;
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof record !== 'object' || record === null) return undefined;
  const values = record as Readonly<Record<string, unknown>>;
  for (const key of TEXT_KEYS) {
    const text = Object.hasOwn(values, key) ? values[key] : undefined;
    if (typeof text === 'string') return text.replace(/\r?\n$/, '');
  }
  return undefined;
}

/**
 * The text of which records are lines of JSON, or `text` itself if neither its first line nor its second one is a record: the
 * text may begin within a line, and end in one.
 */
export function textOfRecords(text: string): string {
  const first = lineAt(text, 0);
  const isRecord = (line: string): boolean => textOfRecord(line) !== undefined;
  if (!isRecord(first) && !isRecord(lineAt(text, first.length + 1))) return text;
  const lines: string[] = [];
  for (let from = 0; from < text.length;) {
    const line = lineAt(text, from);
    lines.push(textOfRecord(line) ?? line);
    from += line.length + 1;
  }
  return lines.join('\n');
}

function lineAt(text: string, from: number): string {
  const to = text.indexOf('\n', from);
  return to < 0 ? text.slice(from) : text.slice(from, to);
}
