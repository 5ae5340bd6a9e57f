/** The rules for all checks: when a claim is told, how sure it is, and what is said of it. */
import { NONE } from '../profile/columns.ts';
import { type Part, shareChange, shareInterval } from '../engine/values/share-change.ts';
import { poolOf } from '../text/thread-pools.ts';
import { sampleTypeChoice } from '../facts/choice.ts';
import { CPU_TIME } from '../facts/sample-kind.ts';
import { CHECKS } from './check-list.ts';
import type { Claim, FindingCheck, FindingNeed } from './check.ts';
import type {
  Finding,
  GrownFinding,
  FindingFacts,
  FindingsAnswer,
  FindingShare,
  FindingsProject,
  FindingLevel,
  NotAssessed,
} from './finding.ts';
import { StackFacts, type StackQuestion } from './stack-facts.ts';
import { PATTERN_TEXTS } from '../engine/views/time-pattern.ts';
import {
  capitalised,
  formatCount,
  formatQuantity,
  formatShare,
  formatShareRange,
  rangeText,
} from '../text/format-value.ts';
import { printable } from '../text/printable.ts';

/** So many independent samples a finding has at least. */
const LEAST_SAMPLES = 30;
const MOST_STACKS = 3;
const MOST_WHERE = 5;
const MOST_POOLS = 3;
const MOST_DEPTH = 128;

interface FindingsQuestion extends Pick<StackQuestion, 'profile' | 'values' | 'timed' | 'facts'> {
  readonly project: FindingsProject;
  /** Checks by their ids; undefined: all. */
  readonly only?: readonly string[] | undefined;
}

/** Looks for findings in a profile. O(call nodes + samples), and as much again for each finding. */
export function findingsOf(question: FindingsQuestion): FindingsAnswer {
  const steps = findingsInSteps(question);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The findings, with a pause after each part of the work, so that others can be answered meanwhile. */
export function* findingsInSteps({
  project,
  only,
  ...question
}: FindingsQuestion): Generator<undefined, FindingsAnswer, undefined> {
  const asked = CHECKS.filter(({ id }) => only === undefined || only.includes(id));
  const patterned = asked.filter(({ frames }) => frames !== undefined);
  const patterns = patterned.flatMap(({ frames }) => frames ?? []);
  const stacks = new StackFacts({ ...question, own: project.own, patterns });
  const { facts } = question;
  const checked: string[] = [];
  const notAssessed: NotAssessed[] = [];
  const all: Finding[] = [];
  for (const check of asked) {
    yield undefined;
    const { id, title } = check;
    const lack = missing(check, stacks, facts);
    const claims = lack ?? claimsOf(check, patterned.indexOf(check), stacks, facts);
    if ('why' in claims) notAssessed.push({ id, title, ...claims });
    else {
      checked.push(id);
      for (const claim of claims) all.push(...told(check, claim, stacks, facts, project));
    }
  }
  const symptoms = new Set(asked.flatMap(({ id, isSymptom }) => (isSymptom === true ? id : [])));
  const suppressed: { id: string; key?: string; why: string }[] = [];
  const findings = all
    .map((finding) => (symptoms.has(finding.id) ? explained(finding, all) : finding))
    .filter((finding) => {
      const by = project.suppress.find((each) => silences(each, finding));
      if (by !== undefined) suppressed.push(by);
      return by === undefined;
    });
  findings.sort(
    (a, b) => Number(a.level !== 'warn') - Number(b.level !== 'warn') || b.share.low - a.share.low,
  );
  // Samples of CPU time are shown by their time at first, and judged by their number.
  const isWhole = stacks.whole === '' && facts.units.value?.name !== CPU_TIME;
  const whole = isWhole ? {} : { whole: `${facts.units.counted.many}${stacks.whole}` };
  const few = checked.length === 0 ? undefined : fewText(stacks, facts);
  return {
    version: 1,
    findings,
    ...whole,
    ...(few !== undefined && { few }),
    checked,
    notAssessed,
    suppressed,
  };
}

/** A share that is considerable: samples of which LEAST_SAMPLES are more are few. */
const CONSIDERABLE = 0.05;

/** `202 samples are few: what has less than 15 % of them is not seen, because that takes 30`; undefined: they are enough. */
function fewText(
  { running, draws, areDependent, length }: StackFacts,
  { units }: FindingFacts,
): string | undefined {
  let all = 0;
  for (let row = 0; row < length; row++) if (running[row] === 1) all += draws[row];
  all = Math.round(all);
  if (all === 0 || LEAST_SAMPLES <= CONSIDERABLE * all) return undefined;
  const { one, many } = units.counted;
  const what = areDependent ? `independent ${many}` : many;
  const amount =
    all === 1 ? formatQuantity(1, areDependent ? `independent ${one}` : one) : `${formatCount(all)} ${what}`;
  const verb = all === 1 ? 'is' : 'are';
  if (all < LEAST_SAMPLES) return `${amount} ${verb} too few: a finding takes ${LEAST_SAMPLES}`;
  const share = formatShare(LEAST_SAMPLES, all, 0);
  return `${amount} ${verb} few: what has less than ${share} of them is not seen, because a finding takes ${LEAST_SAMPLES}`;
}

/** The finding of a symptom, which is a note where another one warns of the reason. */
function explained(finding: Finding, all: readonly Finding[]): Finding {
  const { id, level, where, share } = finding;
  const isExplained =
    level === 'warn' &&
    all.some(
      (other) =>
        other.id !== id &&
        other.level === 'warn' &&
        other.where[0]?.key === where[0]?.key &&
        other.share.value >= share.value,
    );
  return isExplained ? { ...finding, level: 'info' } : finding;
}

function silences({ id, key }: FindingsProject['suppress'][number], finding: Finding): boolean {
  if (id !== finding.id) return false;
  return key === undefined || finding.subject === key || finding.where[0]?.key === key;
}

/** Why a check cannot be made. */
type Lack = Pick<NotAssessed, 'why' | 'choose'>;

/** Why a check cannot be made of these samples; undefined: it can. */
function missing({ needs, frames }: FindingCheck, stacks: StackFacts, facts: FindingFacts): Lack | undefined {
  if (needs !== 'anything' && kindOfSamples(facts) !== needs) {
    const { what, types } = NEEDS[needs];
    const options = sampleTypeChoice(facts.choices)?.options ?? [];
    const choose = types.find((type) => options.some(({ value }) => value === type));
    return { why: `these are not ${what}`, ...(choose !== undefined && { choose }) };
  }
  if (frames?.isLate === true && stacks.late === undefined)
    return { why: 'the file does not record when each sample was taken' };
  return undefined;
}

/** Needed samples, and the sample types that have them, the best first. */
const NEEDS: Readonly<
  Record<Exclude<FindingNeed, 'anything'>, { readonly what: string; readonly types: readonly string[] }>
> = {
  cpu: { what: 'samples of running threads', types: ['cpu-time', 'cpu'] },
  allocations: { what: 'allocations', types: ['alloc'] },
  locks: { what: 'waits for locks', types: ['lock'] },
};

/** Nouns of units that count running threads. */
const RUNNING: readonly string[] = ['sample', 'call'];

/** A file that does not say what it counts has no so many samples: a thousand processors for three hours. */
const MOST_SAMPLES = 1e9;

function kindOfSamples({ units, choices, format, samples }: FindingFacts): FindingNeed | undefined {
  if (format === 'collapsed' && samples > MOST_SAMPLES) return undefined;
  const { counted, value } = units;
  if (value?.unit === 'bytes' || counted.one === 'byte') return 'allocations';
  if (RUNNING.includes(counted.one)) return 'cpu';
  return sampleTypeChoice(choices)?.chosen === 'lock' ? 'locks' : undefined;
}

function claimsOf(
  { check, frames }: FindingCheck,
  pattern: number,
  stacks: StackFacts,
  facts: FindingFacts,
): readonly Claim[] | Lack {
  if (frames !== undefined) {
    const rows = stacks.rowsWith(pattern);
    const nodes = (): Int32Array => stacks.outermost(pattern);
    return [{ rows, nodes, ...(frames.isLate === true && { isLate: true }) }];
  }
  const found = check?.(stacks, facts) ?? [];
  return 'notAssessed' in found ? { why: found.notAssessed } : found;
}

/** The finding of a claim; none where it is too small, too unsure, or only of the start of a program. */
function told(
  check: FindingCheck,
  claim: Claim,
  stacks: StackFacts,
  facts: FindingFacts,
  project: FindingsProject,
): readonly Finding[] {
  const { id, title, words } = check;
  const thresholds = { ...(claim.thresholds ?? check.thresholds), ...project.thresholds[id] };
  const measured = measure(claim, stacks, facts);
  if (measured === undefined) return [];
  const { share, samples, of } = measured;
  if (!(share.low > thresholds.info)) return [];
  const level = thresholds.warn !== undefined && share.low > thresholds.warn ? 'warn' : 'info';
  const { where, evidence, select } = evidenceOf(claim, stacks);
  const subject = claim.subject === undefined ? {} : { subject: claim.subject };
  const show = claim.show ?? {
    keep: where.length === 0 ? [] : [where[0].key],
    ...(select !== undefined && { select }),
  };
  const isUntimed = stacks.early === undefined && check.frames !== undefined;
  const doubts = [
    words.doubt,
    claim.doubt,
    stacks.areDependent ? DEPENDENT : undefined,
    isUntimed ? UNTIMED : undefined,
    share.low < share.high && samples < FEW_SAMPLES ? `It rests on ${samples} samples.` : undefined,
  ];
  const doubt = doubts.filter((each) => each !== undefined).join(' ');
  const period = claim.period === undefined ? {} : { period: claim.period };
  return [
    { id, level, title, ...subject, samples, share, of, ...period, where, evidence, ...words, doubt, show },
  ];
}

const DEPENDENT =
  'Samples that follow each other with one stack are counted as one here, because they are not independent.';

const UNTIMED = 'The times of samples are not recorded: they may be of the start of the program.';

/** A finding with fewer samples says how many. */
const FEW_SAMPLES = 100;

interface MeasuredClaim {
  readonly share: FindingShare;
  readonly samples: number;
  readonly of: string;
}

function measure(claim: Claim, stacks: StackFacts, facts: FindingFacts): MeasuredClaim | undefined {
  const { rows, measured } = claim;
  if (measured !== undefined) {
    const { share: value, low = value, high = value, samples, of } = measured;
    return { share: { low, value, high }, samples, of };
  }
  if (rows === undefined) return undefined;
  const { part, whole, partDraws, allDraws, early, among } = counted(rows, claim, stacks);
  if (partDraws < LEAST_SAMPLES || whole <= 0) return undefined;
  if (stacks.early !== undefined && early >= stacks.samplesOf(rows, among)) return undefined;
  const value = part / whole;
  const { counted: unit } = facts.units;
  const interval =
    unit.isSampled === true || stacks.areDependent
      ? shareInterval(Math.min(allDraws, Math.round(value * allDraws)), allDraws)
      : undefined;
  const { low, high } = interval ?? { low: value, high: value };
  const name = facts.units.value?.unit === 'bytes' ? 'bytes' : unit.many;
  const of =
    claim.among === undefined
      ? `${name}${stacks.whole}${claim.isLate === true ? ' in the second half' : ''}`
      : name;
  return { share: { low, value, high }, samples: partDraws, of };
}

/** Weights and independent samples of a claim, and of all that it is a part of. */
function counted(rows: Uint8Array, claim: Claim, stacks: StackFacts) {
  const among = claim.among ?? stacks.running;
  const weights = claim.isLate === true ? (stacks.late ?? stacks.weight) : stacks.weight;
  const draws = claim.isLate === true && !stacks.areDependent ? weights : stacks.draws;
  let [part, whole, partDraws, allDraws, early] = [0, 0, 0, 0, 0];
  for (let row = 0; row < stacks.length; row++) {
    if (among[row] === 0) continue;
    whole += weights[row];
    allDraws += draws[row];
    if (rows[row] === 0) continue;
    part += weights[row];
    partDraws += draws[row];
    early += stacks.early?.[row] ?? 0;
  }
  return { part, whole, partDraws: Math.round(partDraws), allDraws: Math.round(allDraws), early, among };
}

/**
 * Findings that are new or have grown from one profile to another. Only what is counted in samples on both sides can be
 * told from chance, and only what is about no single method has a share on both.
 */
export function grownFindings(base: FindingsQuestion, next: FindingsQuestion): readonly GrownFinding[] {
  const { findings } = findingsOf(next);
  const [before, after] = [base, next].map(sharesOfChecks);
  return findings.flatMap((finding): GrownFinding[] => {
    const [from, to] = [before.get(finding.id), after.get(finding.id)];
    if (finding.subject !== undefined || from === undefined || to === undefined) return [];
    const change = shareChange(from, to);
    const isReal = change !== undefined && change.low > 0;
    return isReal ? [{ finding, from: from.whole === 0 ? 0 : from.part / from.whole, change }] : [];
  });
}

/** Id of a check -> the independent samples of its claim, of those that look for frames alone. */
function sharesOfChecks({ project, only, ...question }: FindingsQuestion): ReadonlyMap<string, Part> {
  const checks = CHECKS.filter(
    ({ id, frames }) => frames !== undefined && (only === undefined || only.includes(id)),
  );
  const patterns = checks.flatMap(({ frames }) => frames ?? []);
  const stacks = new StackFacts({ ...question, own: project.own, patterns });
  return new Map(
    checks.flatMap((check, pattern) => {
      if (missing(check, stacks, question.facts) !== undefined) return [];
      const isLate = check.frames?.isLate === true;
      const rows = stacks.rowsWith(pattern);
      const { partDraws, allDraws } = counted(rows, { rows, ...(isLate && { isLate }) }, stacks);
      return [[check.id, { part: partDraws, whole: allDraws }] as const];
    }),
  );
}

function evidenceOf(
  claim: Claim,
  stacks: StackFacts,
): { where: Finding['where']; evidence: Finding['evidence']; select: string | undefined } {
  const { rows } = claim;
  const nodes = claim.nodes?.();
  if (rows === undefined || nodes === undefined)
    return { where: [], evidence: { stacks: [], threads: [] }, select: undefined };
  const among = claim.among ?? stacks.running;
  const { weight, profile, threads } = stacks;
  const owns = nodes === stacks.node ? stacks.own : stacks.ownAbove(nodes);
  const where = new Map<string, number>();
  const causes = new Map<string, number>();
  const pools = new Map<string, number>();
  const groupOf = new Int32Array(stacks.length).fill(NONE);
  const heaviest: number[] = [];
  let [part, whole] = [0, 0];
  for (let row = 0; row < stacks.length; row++) {
    if (among[row] === 0) continue;
    whole += weight[row];
    if (rows[row] === 0) continue;
    part += weight[row];
    groupOf[row] = 0;
    const [node, own] = [nodes[row], owns[row]];
    if (own !== NONE) add(where, stacks.nameOf(own), weight[row]);
    if (node !== NONE) add(causes, stacks.nameOf(node), weight[row]);
    add(pools, poolOf(profile.threads.name[threads[row]] ?? ''), weight[row]);
    if (heaviest.length === MOST_STACKS && weight[row] <= weight[heaviest[MOST_STACKS - 1]]) continue;
    heaviest.push(row);
    heaviest.sort((a, b) => weight[b] - weight[a]);
    heaviest.length = Math.min(heaviest.length, MOST_STACKS);
  }
  const [when] = stacks.whenOf(groupOf, 1);
  return {
    where: most(where, MOST_WHERE).map(([key, sum]) => ({ key, share: sum / whole, yours: true })),
    evidence: {
      stacks: heaviest.map((row) => ({ frames: stackOf(stacks, row), share: weight[row] / whole })),
      threads: most(pools, MOST_POOLS).map(([pool, sum]) => ({ pool, share: sum / part })),
      ...(when !== undefined && { when }),
    },
    select: most(causes, 1)[0]?.[0],
  };
}

/** The frames of a stack, root first; of a deep one, those next to the leaf. */
function stackOf(stacks: StackFacts, row: number): readonly string[] {
  const { parent } = stacks.profile.nodes;
  const frames: string[] = [];
  let node = stacks.node[row];
  for (; parent[node] !== NONE && frames.length < MOST_DEPTH; node = parent[node])
    frames.push(stacks.nameOf(node));
  if (parent[node] !== NONE) frames.push('…');
  return frames.reverse();
}

function add(sums: Map<string, number>, key: string, weight: number): void {
  sums.set(key, (sums.get(key) ?? 0) + weight);
}

function most(sums: ReadonlyMap<string, number>, count: number): readonly (readonly [string, number])[] {
  return Array.from(sums)
    .sort(([, a], [, b]) => b - a)
    .slice(0, count);
}

/** Findings for people. Each has its share with its interval, the program's own frame, and when it must not be believed. */
export function findingsText(
  { findings, few, checked, notAssessed, suppressed }: FindingsAnswer,
  levels: Readonly<Record<FindingLevel, number>>,
): string {
  const lines = findings.flatMap((finding) => [...findingLines(finding), '']);
  lines.push(
    `${formatQuantity(levels.warn, 'warning')} and ${formatQuantity(levels.info, 'note')} of ${formatQuantity(checked.length, 'check')}.`,
  );
  if (few !== undefined) lines.push(`${capitalised(few)}.`);
  const reasons = new Map<string, string[]>();
  for (const { id, why, choose } of notAssessed) {
    const reason = choose === undefined ? why : `${why}: --choose sample-type=${choose}`;
    reasons.set(reason, [...(reasons.get(reason) ?? []), id]);
  }
  for (const [why, ids] of reasons) lines.push(`Not assessed: ${ids.join(', ')}: ${why}.`);
  for (const { id, key, why } of suppressed)
    lines.push(`Silenced by the project file: ${id}${key === undefined ? '' : ` ${key}`}: ${why}`);
  return lines.map((line) => `${printable(line)}\n`).join('');
}

/** `F3 Regular expressions …: 1.2 % to 6.7 % of samples with a stack, 95 % interval +3.10 to +7.90 points, in Shop.parse`. */
export function grownText({ finding, from, change }: GrownFinding): string {
  const { id, title, of, where } = finding;
  const shares = `${formatShare(from, 1, 1)} to ${formatShare(from + change.difference, 1, 1)} of ${of}`;
  const place = where.length === 0 ? '' : `, in ${where[0].key}`;
  const text = `${id} ${title}: ${shares}, 95 % interval ${rangeText(change.low, change.high)} points${place}`;
  return printable(text);
}

function findingLines(finding: Finding): readonly string[] {
  const { level, id, title, subject, share, samples, of, where, evidence, why, doubt, next } = finding;
  const interval =
    share.low === share.high ? '' : `, 95 % interval ${formatShareRange(share.low, share.high)}`;
  const when = evidence.when === undefined ? [] : [`  when   ${PATTERN_TEXTS[evidence.when]}`];
  const pools = evidence.threads.map(
    ({ pool, share: part }) => `${pool || 'threads without a name'} ${formatShare(part, 1, 0)}`,
  );
  return [
    `${level === 'warn' ? 'WARN' : 'note'}  ${id}  ${title}${subject === undefined ? '' : `: ${subject}`}`,
    `  share  ${formatShare(share.value, 1, 1)} of ${of}${interval}; ${formatCount(samples)} counted`,
    ...where.slice(0, 1).map(({ key, share: part }) => `  where  ${key}, ${formatShare(part, 1, 1)}`),
    ...(pools.length === 0 ? [] : [`  who    ${pools.join(', ')}`]),
    ...when,
    `  why    ${why}`,
    `  doubt  ${doubt}`,
    `  next   ${next}`,
  ];
}
