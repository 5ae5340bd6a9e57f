/**
 * A flame graph page as async-profiler draws one (specs: other formats, async-profiler HTML), from collapsed stacks with
 * its suffixes. No frame is left out.
 */
export function flamePage(collapsed: string, units = 'samples'): string {
  const root: Drawn = { name: 'all', kind: 3, width: 0, callees: new Map() };
  for (const line of collapsed.trim().split('\n')) {
    const [, stack, weight] = /^(.*) (\d+)$/.exec(line) as unknown as [string, string, string];
    let frame = root;
    frame.width += Number(weight);
    for (const text of stack.split(';')) {
      const [, name, suffix = ''] = /^(.*?)(_\[[jik01]\])?$/.exec(text) as unknown as [
        string,
        string,
        string?,
      ];
      const kind =
        { '_[0]': 0, '_[j]': 1, '_[i]': 2, '_[k]': 5, '_[1]': 6 }[suffix] ?? (name.includes('::') ? 4 : 3);
      let callee = frame.callees.get(text);
      if (callee === undefined) {
        callee = { name, kind, width: 0, callees: new Map() };
        frame.callees.set(text, callee);
      }
      frame = callee;
      frame.width += Number(weight);
    }
  }
  const names = new Set<string>();
  walk(root, (frame) => names.add(frame.name));
  names.delete('all');
  const sorted = ['all', ...[...names].sort()];
  const numbers = new Map(sorted.map((name, at) => [name, at]));
  const calls: string[] = [];
  // As the page's own functions see it: the frame before this one.
  let before = { level: 0, left: 0, width: 0 };
  walk(root, ({ name, kind, width }, level, left) => {
    const key = ((numbers.get(name) ?? 0) << 3) | kind;
    const isAbove = level === before.level + 1 && left === before.left;
    const isNext = level === before.level && left === before.left + before.width;
    const shown = width === before.width ? '' : `,${width}`;
    calls.push(
      isAbove
        ? `u(${key}${shown})`
        : isNext
          ? `n(${key}${shown})`
          : `f(${key},${level},${left - before.left}${shown})`,
    );
    before = { level, left, width };
  });
  return `<!DOCTYPE html>
<html lang='en'>
<h1>CPU profile</h1>
<header>Produced by <a href='https://github.com/async-profiler/async-profiler'>async-profiler</a></header>
<canvas id='canvas'></canvas>
<script>
	const units = '${units}';
	function u(key, width, inln, c1, int) {
		f(key, level0 + 1, 0, width, inln, c1, int)
	}
const cpool = [
${sorted.map((name, at) => `'${escaped(at === 0 ? name : packed(name, sorted[at - 1], at))}'`).join(',\n')}
];
unpack(cpool);

${calls.join('\n')}

search();
</script></body></html>
`;
}

interface Drawn {
  readonly name: string;
  readonly kind: number;
  width: number;
  readonly callees: Map<string, Drawn>;
}

function walk(root: Drawn, visit: (frame: Drawn, level: number, left: number) => void): void {
  const below = (frame: Drawn, level: number, left: number): void => {
    visit(frame, level, left);
    let at = left + frame.width - [...frame.callees.values()].reduce((sum, { width }) => sum + width, 0);
    for (const callee of frame.callees.values()) {
      below(callee, level + 1, at);
      at += callee.width;
    }
  };
  below(root, 0, 0);
}

/** Behind the root nothing is shared: its name is no longer the first in order. */
function packed(name: string, before: string, at: number): string {
  let same = 0;
  if (at > 1) while (same < 95 && same < before.length && name[same] === before[same]) same++;
  return String.fromCharCode(same + 32) + name.slice(same);
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
}
