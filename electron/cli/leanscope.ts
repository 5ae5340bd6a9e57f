#!/usr/bin/env node
/** Entry of the `leanscope` command: calls `main` with the streams of this process. */
import { commandArguments } from './command-arguments.ts';
import { main } from './main.ts';
import { processIo } from './process-io.ts';

// The process ends by itself when nothing is pending; process.exit would discard pending work.
void main(commandArguments(2), processIo()).then((status) => {
  process.exitCode = status;
});
