import type { AgentName } from '../cohort.ts';
import type { AgentEvidence, Evidence, Wait } from './evidence.ts';
import { type Finding, findingOf } from './finding.ts';
import { areDigests, lookAlike } from './id-shape.ts';
import { absentIn, agentIn, isQuiet, isSilent } from './standstill.ts';
import { quoteSome } from './words.ts';

/** Share of the prompts of one of them that the other has sent too, of agents that go together. */
const TOGETHER = 0.9;
/** Prompts that say something by themselves, where nothing says that their agent waits. */
const ENOUGH_PROMPTS = 3;
/** So many digests of each without one in common are of other texts; fewer may be of another order. */
const ENOUGH_DIGESTS = 32;

/** Two agents of which one waits for prompts that the other does not send. */
interface Apart {
  readonly code: 'disjoint_prompts' | 'different_order';
  readonly student: AgentName;
  readonly teacher: AgentName;
  readonly message: string;
  readonly since: number;
  readonly figures: Readonly<Record<string, number>>;
}

/**
 * Agents that walk through other prompts, or through the same in another order. `short`: agents whose groups stop below
 * their k, so that a group that is not full says nothing of them.
 */
export function findPromptsApart(
  evidence: Evidence,
  waits: readonly Wait[],
  short: ReadonlySet<AgentName>,
): readonly Finding[] {
  const seen = new Set<string>();
  const found: Apart[] = [];
  for (const wait of waits) {
    const pair = [wait.student, wait.teacher].sort().join('\u0000');
    if (seen.has(pair) || absentIn(wait).length === 0) continue;
    const apart = compare(evidence, wait, short);
    if (apart === null) continue;
    seen.add(pair);
    found.push(apart);
  }
  return (['disjoint_prompts', 'different_order'] as const).flatMap((code) =>
    mergeByAgent(found.filter((apart) => apart.code === code)),
  );
}

function compare(evidence: Evidence, wait: Wait, short: ReadonlySet<AgentName>): Apart | null {
  const student = agentIn(evidence, wait.student);
  const teacher = agentIn(evidence, wait.teacher);
  if (student === undefined || teacher === undefined) return null;
  if (student.visits.length === 0 || teacher.visits.length === 0) return null;
  const met = countMet(student, teacher);
  const together = Math.max(met / student.visits.length, countMet(teacher, student) / teacher.visits.length);
  if (together >= TOGETHER || !showsAll(evidence, student, teacher, short)) return null;
  const ids = (agent: AgentEvidence) => agent.visits.map(({ promptId }) => promptId);
  const figures = { met, student_prompts: student.visits.length, teacher_prompts: teacher.visits.length };
  const waitsOn = quoteSome(absentIn(wait).map(({ promptId }) => promptId));
  const sent = quoteSome(ids(teacher).toReversed());
  const what = `${wait.student} waits on ${waitsOn}, while ${wait.teacher} sent ${sent}`;
  const since = wait.prompts[0]?.since ?? evidence.now;
  const shared = { student: wait.student, teacher: wait.teacher, since, figures };
  if (met === 0 && !mayBeOneDataSet(ids(student), ids(teacher))) {
    const message = `"${wait.student}" and "${wait.teacher}" send different prompt ids: ${what}. Give both datasets the same ids, made in the same way from the same texts, and both trainers the same data seed and shuffle.`;
    return { code: 'disjoint_prompts', message, ...shared };
  }
  const common =
    met === 0
      ? 'None of their latest prompts is the same, though the ids look alike.'
      : `Of the latest ${student.visits.length} prompts of ${wait.student}, ${wait.teacher} has sent ${met}.`;
  const message = `"${wait.student}" and "${wait.teacher}" go through their prompts in another order, or one of them has rows that the other lacks: ${what}. ${common} Give both trainers the same rows, in the same order, with the same data seed and shuffle.`;
  return { code: 'different_order', message, ...shared };
}

function countMet(agent: AgentEvidence, other: AgentEvidence): number {
  return agent.visits.filter(({ sentBy }) => sentBy.has(other.name)).length;
}

/**
 * Either may be about to send what the other has sent: only who stands still shows all that it will. One that sends on,
 * and never what the other waits for, needs more prompts to be sure of.
 */
function showsAll(
  evidence: Evidence,
  student: AgentEvidence,
  teacher: AgentEvidence,
  short: ReadonlySet<AgentName>,
): boolean {
  const both = [student, teacher];
  const halfway = both.some((agent) => !short.has(agent.name) && isHalfway(agent));
  const still = both.every((agent) => isQuiet(evidence, agent)) && !halfway;
  const enough = both.every(({ visits }) => visits.length >= ENOUGH_PROMPTS);
  if (still && (both.every(({ parked }) => parked) || (enough && !isSilent(evidence, teacher)))) return true;
  const since = evidence.waits.find((wait) => wait.student === student.name && wait.teacher === teacher.name)
    ?.prompts[0]?.since;
  if (since === undefined || !student.parked) return false;
  const newer = teacher.visits.filter(({ openedAt }) => openedAt > since);
  return newer.length >= ENOUGH_PROMPTS && newer.every(({ sentBy }) => !sentBy.has(student.name));
}

function isHalfway({ visits }: AgentEvidence): boolean {
  return visits.some(({ state, size, k }) => state === 'open' && size > 0 && size < k);
}

function mayBeOneDataSet(one: readonly string[], other: readonly string[]): boolean {
  if (!lookAlike(one, other)) return false;
  return !(areDigests(one) && Math.min(one.length, other.length) >= ENOUGH_DIGESTS);
}

/** One agent that goes its own way is apart from several: that is one finding, about it first. */
function mergeByAgent(found: readonly Apart[]): readonly Finding[] {
  const findings: Finding[] = [];
  let left = [...found];
  while (left.length > 0) {
    const count = (name: AgentName) =>
      left.filter(({ student, teacher }) => student === name || teacher === name).length;
    const [first] = left;
    if (first === undefined) break;
    const names = [...new Set(left.flatMap(({ student, teacher }) => [student, teacher]))];
    const most = names.reduce((best, name) => (count(name) > count(best) ? name : best), first.student);
    const own = left.filter(({ student, teacher }) => student === most || teacher === most);
    const [shown] = own;
    if (shown === undefined) break;
    left = left.filter((apart) => !own.includes(apart));
    const others = own.map(({ student, teacher }) => (student === most ? teacher : student));
    const { code, message, figures } = shown;
    const since = Math.min(...own.map((apart) => apart.since));
    findings.push(findingOf(code, { agents: [most, ...others], since, message, figures }));
  }
  return findings;
}
