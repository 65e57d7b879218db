import type { AgentName } from '../cohort.ts';
import { findAnswersNotFound } from './answers-not-found.ts';
import { findClones } from './clones.ts';
import { findCollapse } from './collapse.ts';
import type { Evidence, Wait } from './evidence.ts';
import { bySeverity, type Finding } from './finding.ts';
import { findFinishedPeers } from './finished-peer.ts';
import { findKMismatch, stuckVisits } from './k-mismatch.ts';
import { findNoSpread } from './no-spread.ts';
import { findPromptsApart } from './prompts-apart.ts';
import { findExpiredShare, findUnlabeledShare } from './shares.ts';
import { findSilentAgents } from './silent-agent.ts';
import { findStaleLabels } from './stale-labels.ts';
import { absentIn, agentIn, stalledWaits, wantedWaits } from './standstill.ts';
import { findStepDrift } from './step-drift.ts';
import { findUnmarkedEval } from './unmarked-eval.ts';
import { findUnnamedRestarts } from './unnamed-restart.ts';
import { findUnreadableTruths } from './unreadable-truths.ts';
import { findWaitCycles } from './wait-cycle.ts';

/** The verdict on a cohort: what is wrong with it, the most severe first; empty where nothing is. */
export function findFindings(evidence: Evidence): readonly Finding[] {
  const standstills = findStandstills(evidence);
  return [...standstills, ...findByFigures(evidence, standstills)].sort(bySeverity);
}

/** Why agents wait: each wait is named once, by the most specific cause that the evidence shows. */
function findStandstills(evidence: Evidence): readonly Finding[] {
  const stalled = stalledWaits(evidence);
  const mismatches = findKMismatch(evidence);
  const short = agentsOf(mismatches);
  // A group that is short of its k is waited for because of that, and one that is missing altogether is not.
  const missing = (waits: readonly Wait[]) =>
    waits.flatMap((wait) => {
      const prompts = short.has(wait.teacher) ? absentIn(wait) : wait.prompts;
      return prompts.length === 0 ? [] : [{ ...wait, prompts }];
    });
  const open = missing(stalled);
  // What the others of a standstill wait for tells of it too, though they wait for less long.
  const around = missing(wantedWaits(evidence)).filter(({ student, teacher }) =>
    open.some((wait) => [wait.student, wait.teacher].some((name) => name === student || name === teacher)),
  );
  const restarts = findUnnamedRestarts(evidence, around);
  const afterRestarts = without(open, agentsOf(restarts));
  const evals = findUnmarkedEval(evidence, without(around, agentsOf(restarts)));
  const afterEvals = without(afterRestarts, agentsOf(evals));
  const apart = findPromptsApart(evidence, afterEvals, short);
  const afterApart = afterEvals.filter(
    ({ student, teacher }) =>
      !apart.some(({ agents }) => agents.includes(student) && agents.includes(teacher)),
  );
  const cycles = findWaitCycles(evidence, afterApart);
  const explained = agentsOf([...restarts, ...cycles]);
  const silent = findSilentAgents(
    evidence,
    missing(wantedWaits(evidence)).filter(({ teacher }) => !explained.has(teacher)),
  );
  // Evaluations are sampled in numbers of their own: that they stop below k is no fault beside that they are not marked.
  const unmarked = agentsOf(evals);
  const mismatched = mismatches.filter(
    ({ agents: [name = ''] }) => !(unmarked.has(name) && isShortAlone(evidence, name)),
  );
  return [...mismatched, ...restarts, ...evals, ...apart, ...cycles, ...silent];
}

/** Whether no other agent has sent any of the prompts that the groups of one are short for. */
function isShortAlone(evidence: Evidence, name: string): boolean {
  const agent = agentIn(evidence, name);
  return (
    agent !== undefined &&
    stuckVisits(evidence, agent).every(({ sentBy }) => ![...sentBy.keys()].some((other) => other !== name))
  );
}

/** How the training goes, as far as it is not for one of these reasons. */
function findByFigures(evidence: Evidence, standstills: readonly Finding[]): readonly Finding[] {
  const blind = findAnswersNotFound(evidence);
  const unanswered = agentsOf(blind);
  const finished = findFinishedPeers(evidence);
  const everybody = new Set(evidence.agents.map(({ name }) => name));
  const clones = findClones(evidence);
  const unlabeled = unanswered.size > 0 ? [] : findUnlabeledShare(evidence);
  // A standstill anywhere keeps others from their teachers too.
  const expired = findExpiredShare(evidence, standstills.length > 0 ? everybody : new Set());
  const collapse = findCollapse(evidence);
  const spreadless = agentsOf([...clones, ...collapse, ...unlabeled, ...expired, ...finished]);
  return [
    ...blind,
    ...clones,
    ...collapse,
    ...expired,
    ...unlabeled,
    ...findUnreadableTruths(evidence, unanswered),
    ...finished,
    ...findNoSpread(evidence, unanswered.size > 0 ? everybody : spreadless),
    ...findStaleLabels(evidence),
    ...findStepDrift(evidence),
  ];
}

function agentsOf(findings: readonly Finding[]): ReadonlySet<AgentName> {
  return new Set(findings.flatMap(({ agents }) => agents));
}

function without(waits: readonly Wait[], agents: ReadonlySet<AgentName>): readonly Wait[] {
  return waits.filter(({ student, teacher }) => !agents.has(student) && !agents.has(teacher));
}
