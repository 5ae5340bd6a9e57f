#!/usr/bin/env node
/** Entry of the `leanscope` command: calls `main` with the streams of this process. */
import { main } from './main.ts';
import { commandArguments, processIo } from './io/process-io.ts';

// The process ends by itself when nothing is pending; process.exit would discard pending work.
void main(commandArguments(2), processIo()).then((status) => {
  process.exitCode = status;
});
