import type { CommandIo, ExitStatus } from './io/command-io.ts';
import { readArguments } from './options/options.ts';

/** The guide for assistants, with tools or with a shell. Its claims are tested by use. */
export const GUIDE = `# Leanscope for assistants

Leanscope reads sampling profiles of JVMs and answers questions about them. The same questions exist as tools (leanscope mcp) and as commands. Numbers are equal.

## The order that works

1. open (leanscope summary FILE): what it is, how long, which sample types, what was lost, and what it cannot tell. Read "unknown", "lost" and "note" before you conclude anything.
2. findings (leanscope findings FILE): what is probably wrong, with its share, its 95 % interval and its doubt. Repeat the doubt to your user.
3. top (leanscope top FILE): the hottest methods by self; by total and by package for the larger picture.
4. tree or method for one of them: who calls it, what it calls, which line, when, in which threads.
5. timeline for when; its bursts are ranges for the scope of all other questions.
6. compare for what changed between two recordings.

Do not begin with the whole tree: it is the largest answer and says least.

## Handles and tokens

open answers "profile app.jfr": that is the handle of all other tools, and it stays valid. An answer has at most 2,000 tokens; tokens: 10000 asks for more. What was left out is said with how to get it: limit for more rows, scope for a part. One narrow question costs less than one wide answer.

A file may hold several sample types (cpu, wall, alloc, lock). open lists them as choices; choose {"sample-type": "alloc"} opens another handle of the same file. On the command line: --choose sample-type=alloc.

## Scope

Options of every command, and the same as a list of texts in every tool: scope: ["from=12.5s", "to=15s", "keep=KEY"].

| option | keeps |
|---|---|
| --from 12.5s --to 15s | a range of time, since the first sample |
| --thread 'http-*' | threads by name, pool or /regular expression/ |
| --context operation=checkout | samples of requests with this attribute |
| --took 1s.. --began 5m..6m | samples of requests that took so long, and that began then |
| --slower 99% | samples of the slowest of each operation, one in a hundred |
| --keep KEY | samples with the method on their stack |
| --drop KEY | samples without it |
| --focus KEY | samples with it, stacks begin there |
| --only com.acme. | only frames of these; the others belong to their callers |
| --merge KEY | the frames of the method vanish |
| --collapse PREFIX | adjacent frames of a package are one |
| --fold lambda | machine-made names without their numbers |

A key is the full name of a method as top prints it: com.acme.Shop.price. A key that is not there is an error with those that are like it. Transforms are applied in their order.

## Reading the numbers

- self: samples that ended in the method. total: samples with it on their stack, each once, however often it recurs.
- Every share is of the samples in scope. A scope changes the whole: 50 % of 84 samples is another claim than 50 % of 9,000. Quote both numbers.
- The interval is the 95 % interval of the share. Two shares whose intervals overlap have no order: such rows are marked too close to call. Do not rank them.
- With fewer than 30 samples say that it is too early to tell.
- null and "not recorded" are answers. A format without times has no timeline; a collapsed file has no lines. Never replace such an answer by a guess.
- samples of CPU are running time; wall-clock and thread-dump samples count waiting, too. Samples without a stack, and idle threads where they hide others, are left out, and a note says so: count-all in scope (--count-all) counts them. Look at the sample type before you say "CPU".
- Allocation profiles count bytes: metric time means the second value of the profile, whatever its unit.
- compare tells real changes from chance. A change with certainty "chance" is no change. Between-run noise of one pair of recordings is unknown: say so, and ask for more runs where it matters.

## Twelve questions and their calls

| question | tool | command |
|---|---|---|
| How many samples, how long? | open | summary |
| What is probably wrong? | findings | findings |
| Where does time end? | top | top |
| Which of our code is responsible? | top, by total, filter "com.acme." | top --by total --filter com.acme. |
| Which threads work? | top, group pool | top --group pool |
| Who calls X, and how much of it each? | method X | method X |
| Which line of X? | method X: lines | method X --source . |
| When was it worst? | timeline: bursts | timeline |
| What was hot then? | top with that scope | top --from … --to … |
| What has X but not Y below it? | top with keep X, drop Y: whole | top --keep X --drop Y |
| What does X spend on what it calls? | tree, of callees, method X | tree --of callees --method X |
| What changed? | compare | compare BASE NEW |

## Saying it

Name the method, its share, its whole and the interval; the nearest own frame (findings: where); the doubt; and one next step that would confirm it: a longer recording, another sample type, or a comparison after the change. Do not advise changing code that holds less than a few percent.

## On the command line

- --json prints one line with schema and version; leanscope help COMMAND --json-schema prints its JSON Schema.
- Data is on standard output, messages are on standard error; --quiet leaves out messages. Exit status: 0 all, 3 only a part was read, 1 nothing or nothing in scope, 2 wrong command line, 4 a gate: compare --fail-above, findings --fail-on.
- leanscope help COMMAND has the options and two examples.
- export writes a view to a file (a flame graph as svg, collapsed, pprof and more); the tool never answers inline.

## What is not there

The tool query (SQL over a dataset of many recordings) exists only where DuckDB is installed; on the command line it is --sql. The server reads only the files that it was started with and files below its allowed folders, and writes only new files there. record exists only if it was started with --allow-attach. A call that takes too long is cut, and says so: ask for less.
`;

/** Prints the guide. */
export function guideCommand(argv: readonly string[], io: CommandIo): ExitStatus {
  readArguments(argv, {});
  io.stdout(GUIDE);
  return 0;
}
