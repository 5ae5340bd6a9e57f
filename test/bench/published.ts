import { format } from 'oxfmt';

const FROM = '<!-- table of npm run bench -->';
const TO = '<!-- end of table -->';

/** The page with `table` between its two marks, formatted as the checkout's files are. Throws when a mark is missing. */
export async function withTable(page: string, table: string, path: string): Promise<string> {
  const from = page.indexOf(FROM);
  const to = page.indexOf(TO);
  if (from < 0 || to < from) throw new Error(`${path} has no ${FROM} … ${TO}`);
  const whole = `${page.slice(0, from + FROM.length)}\n\n${table}\n\n${page.slice(to)}`;
  return (await format(path, whole)).code;
}
