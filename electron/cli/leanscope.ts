#!/usr/bin/env node
/** The `leanscope` command as a program: the process's own streams around `main`. */
import { main } from './main.ts';
import { processIo } from './process-io.ts';

// Not process.exit: it would cut what standard error still has to write to a pipe.
void main(process.argv.slice(2), processIo()).then((status) => {
  process.exitCode = status;
});
