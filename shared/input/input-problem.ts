import type { InputProblem } from '../facts/log-facts.ts';
import { printableProblem } from '../facts/printable-facts.ts';
import { EMPTY_FILE, type FormatMismatch, type UnrecognisedInput } from './detect-format.ts';

const OPEN_ANOTHER = 'open a JFR recording, an Honest Profiler log (.hpl) or another supported profile';

/** An input of no known format. */
export function unrecognisedProblem({ guess, advice, reasons }: UnrecognisedInput): InputProblem {
  return guess === EMPTY_FILE
    ? emptyProblem()
    : problem(`looks like ${guess}`, advice ?? OPEN_ANOTHER, reasons);
}

export function emptyProblem(): InputProblem {
  return problem(`is ${EMPTY_FILE}`, 'open a profile that has been written to', []);
}

/** `refusal` describes the archive, with an article. `entries` are those that were checked. */
export function archiveProblem(refusal: string, entries: readonly FormatMismatch[]): InputProblem {
  return problem(`is ${refusal}`, OPEN_ANOTHER, entries);
}

/** `refusal` describes an input of a known format of which nothing can be shown, with an article. */
export function refusedProblem(refusal: string, instead: string | undefined): InputProblem {
  return problem(`is ${refusal}`, instead ?? OPEN_ANOTHER, []);
}

/** The problem of gzip data of which not a single byte can be unpacked. `found`: what is wrong with it. */
export function unpackingProblem(found: string): InputProblem {
  return problem(`is gzip data that cannot be unpacked (${found})`, 'copy the file again', []);
}

function problem(what: string, advice: string, reasons: readonly FormatMismatch[]): InputProblem {
  return printableProblem({ text: `Not a supported profile: this ${what}.`, advice, reasons });
}
