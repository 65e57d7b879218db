import { countNoun } from '../count-noun.ts';
import type { AgentEvidence, Evidence, Visit, Wait } from './evidence.ts';
import { type Finding, findingOf } from './finding.ts';
import { lookAlike } from './id-shape.ts';
import { absentIn, agentIn, keyOf } from './standstill.ts';
import { quoteSome } from './words.ts';

/** Prompts that both must have met on before one that only one of them sends looks odd. */
const ENOUGH_MET = 2;
/** Prompts of one request are stored within a shorter time. */
const PAUSE_MS = 500;

/**
 * The agents go together but for prompts that only one of them sends, beside its training: at a step for which it has
 * sent its prompts already, in groups of another size, or under ids of another kind.
 */
export function findUnmarkedEval(evidence: Evidence, waits: readonly Wait[]): readonly Finding[] {
  return evidence.cohort.agents.flatMap(({ name }): Finding[] => {
    const agent = agentIn(evidence, name);
    const [wait] = waits.filter(({ student }) => student === name);
    const peer = wait === undefined ? undefined : agentIn(evidence, wait.teacher);
    if (agent === undefined || wait === undefined || peer === undefined) return [];
    const absent = new Set(absentIn(wait).map(keyOf));
    const alone = agent.visits.filter((visit) => absent.has(keyOf(visit)));
    const met = agent.visits.filter(({ sentBy }) => sentBy.has(peer.name));
    const [first] = alone;
    if (first === undefined || met.length < ENOUGH_MET || !isBeside(alone, met, peer)) return [];
    const message = `"${name}" sends ${countNoun(alone.length, 'prompt')} that ${peer.name} does not send, beside those that both have (${quoteSome(alone.map(({ promptId }) => promptId))}). Are they for evaluation? Then send them with split: eval, which waits for nobody.`;
    const figures = { prompts: alone.length, met: met.length };
    return [findingOf('unmarked_eval', { agents: [name], since: first.openedAt, message, figures })];
  });
}

function isBeside(alone: readonly Visit[], met: readonly Visit[], peer: AgentEvidence): boolean {
  if (alone.some(({ round }) => round > 0)) return false;
  const sizes = new Set(met.map(({ size }) => size));
  const idsOf = (visits: readonly Visit[]) => visits.map(({ promptId }) => promptId);
  const otherShape = !lookAlike(idsOf(alone), [...idsOf(met), ...idsOf(peer.visits)]);
  const otherSize = alone.every(({ size }) => !sizes.has(size));
  return otherShape || otherSize || isSameStepAgain(alone, met, peer);
}

/** The agent has sent its prompts of this step and has their rewards, and the other has gone on to its next. */
function isSameStepAgain(alone: readonly Visit[], met: readonly Visit[], peer: AgentEvidence): boolean {
  const last = met.at(-1);
  if (last === undefined || last.step === null) return false;
  const theirs = peer.visits.find((visit) => keyOf(visit) === keyOf(last))?.step ?? null;
  const newest = peer.visits.at(-1)?.step ?? null;
  const wentOn = theirs !== null && newest !== null && newest > theirs;
  const same = met.filter(({ step }) => step === last.step);
  return wentOn && alone.every(({ step, openedAt }) => step === last.step && isAfter(openedAt, same));
}

/** Well after they were sent, so that it is another request, and after their rewards. */
function isAfter(openedAt: number, visits: readonly Visit[]): boolean {
  return visits.every(
    ({ decidedAt, readyAt }) =>
      decidedAt !== null && readyAt !== null && Math.max(decidedAt + PAUSE_MS, readyAt) <= openedAt,
  );
}
