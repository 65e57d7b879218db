import type { AgentEvidence, Evidence, Visit, Wait } from './evidence.ts';
import { type Finding, findingOf } from './finding.ts';
import { absentIn, agentIn, keyOf } from './standstill.ts';
import { quote } from './words.ts';

/** A step back that no straggler makes. */
const CLEAR_STEPS = 2;

/** An agent went back and does again what it has done, so that it and the others wait past each other. */
export function findUnnamedRestarts(evidence: Evidence, waits: readonly Wait[]): readonly Finding[] {
  return evidence.cohort.agents.flatMap(({ name }): Finding[] => {
    const agent = agentIn(evidence, name);
    const own = waits.filter(({ student, teacher }) => student === name || teacher === name);
    if (agent === undefined || !own.some((wait) => absentIn(wait).length > 0)) return [];
    const { rewind, step } = agent.trail;
    const replayed = replays(agent, own);
    const [first] = replayed;
    const isClear = rewind !== null && rewind.from - rewind.to >= CLEAR_STEPS;
    if (first === undefined && !isClear) return [];
    const back =
      rewind === null
        ? `sends ${quote(first?.promptId ?? '')} again, with other rollouts${first?.step == null ? '' : `, at step ${first.step}`}`
        : `went back from step ${rewind.from} to step ${rewind.to}`;
    const message = `"${name}" ${back}, and names no new incarnation: it looks like a restart from a checkpoint. Everything that it repeats counts as another visit, which nobody else makes, and is waited for in vain. Give each start of its trainer an incarnation of its own (PEERVOTE_INCARNATION, or ?inc= in the URL).`;
    const figures = {
      ...(rewind !== null && { from_step: rewind.from, to_step: rewind.to }),
      ...(step !== null && { step }),
      replayed: replayed.length,
    };
    const since = rewind?.at ?? first?.openedAt ?? null;
    return [findingOf('unnamed_restart', { agents: [name], since, message, figures })];
  });
}

/** Visits that repeat one that was over already, and that somebody waits in. Newest last. */
function replays(agent: AgentEvidence, waits: readonly Wait[]): readonly Visit[] {
  const awaited = new Set(
    waits.filter(({ student }) => student === agent.name).flatMap((wait) => absentIn(wait).map(keyOf)),
  );
  return agent.visits.filter((visit, at) => {
    const { before, step } = visit;
    if (before === null || !awaited.has(keyOf(visit))) return false;
    if (before.decidedAt === null || before.decidedAt > visit.openedAt) return false;
    if (before.step !== null && step !== null) return before.step >= step;
    return breaksTheOrder(agent.visits, at);
  });
}

/**
 * Without steps: the agent takes up its own past in the middle. One that begins at the first prompt that is known of it
 * may be in its next epoch.
 */
function breaksTheOrder(visits: readonly Visit[], at: number): boolean {
  const visit = visits[at];
  if (visit === undefined) return false;
  const earlier = visits.findIndex(
    ({ promptId, round }) => promptId === visit.promptId && round === visit.round - 1,
  );
  const newest = Math.max(...visits.map(({ round }) => round));
  return earlier > 0 && earlier < at && visit.round === newest && visits[0]?.round === visit.round - 1;
}
