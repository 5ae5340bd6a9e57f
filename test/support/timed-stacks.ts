/** Stacks with times: events of speedscope, a sample every so many milliseconds. */
export function timedStacks(stacks: string, ms = 1): string {
  const names = new Map<string, number>();
  const events: unknown[] = [];
  let at = 0;
  for (const line of stacks.split('\n')) {
    const [, stack, count] = /^(.*) ([\d.]+)$/.exec(line) ?? [];
    const frames = stack.split(';').map((name) => {
      if (!names.has(name)) names.set(name, names.size);
      return names.get(name);
    });
    for (const end = at + Number(count); at < end; at++) {
      for (const frame of frames) events.push({ type: 'O', frame, at: at * ms });
      for (const frame of frames.toReversed()) events.push({ type: 'C', frame, at: (at + 1) * ms });
    }
  }
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    shared: { frames: Array.from(names.keys(), (name) => ({ name })) },
    profiles: [
      { type: 'evented', name: 'main', unit: 'milliseconds', startValue: 0, endValue: at * ms, events },
    ],
  });
}
