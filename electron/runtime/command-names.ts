/** Commands that a command line may begin with. Without a command, its files are opened. */
export const NAMED_COMMANDS = [
  'serve',
  'top',
  'tree',
  'method',
  'timeline',
  'spread',
  'operations',
  'export',
  'compare',
  'summary',
  'findings',
  'mcp',
  'guide',
  'convert-trace',
  'scrub',
  'push',
  'jvms',
  'record',
  'attach',
  'agent',
  'completion',
  'help',
  'version',
] as const;

export type NamedCommand = (typeof NAMED_COMMANDS)[number];

export function isNamedCommand(word: string | undefined): word is NamedCommand {
  return NAMED_COMMANDS.some((name) => name === word);
}
