import { countNoun } from '../count-noun.ts';
import type { Evidence, Wait } from './evidence.ts';
import { type Finding, findingOf } from './finding.ts';
import { agentIn, isSilent } from './standstill.ts';
import { formatAge, quote } from './words.ts';

/** An awaited agent that neither sends nor waits. */
export function findSilentAgents(evidence: Evidence, waits: readonly Wait[]): readonly Finding[] {
  const { cohort, now } = evidence;
  return cohort.agents.flatMap(({ name }): Finding[] => {
    const agent = agentIn(evidence, name);
    const students = waits.filter(({ teacher }) => teacher === name);
    const [oldest] = students.flatMap(({ prompts }) => prompts.slice(0, 1)).sort((a, b) => a.since - b.since);
    if (agent === undefined || oldest === undefined) return [];
    const waitMs = now - oldest.since;
    if (waitMs < cohort.watchdog.silentAfterMs || !isSilent(evidence, agent)) return [];
    const last = agent.lastArrivalAt;
    const silence =
      last === null ? 'has never sent anything' : `has sent nothing for ${formatAge(now - last)}`;
    const who = students.map(({ student }) => student).join(', ');
    const prompts = students.reduce((sum, wait) => sum + wait.prompts.length, 0);
    const message = `"${name}" ${silence}, and ${who} waits for it on ${countNoun(prompts, 'prompt')} (the oldest is ${quote(oldest.promptId)}, round ${oldest.round}, for ${formatAge(waitMs)}). Is its trainer running and pointed at agent "${name}" of cohort "${cohort.name}"? If its training has ended, tell it with finish.`;
    const figures = { prompts, waited_ms: waitMs, silent_ms: last === null ? waitMs : now - last };
    return [findingOf('silent_agent', { agents: [name], since: last ?? oldest.since, message, figures })];
  });
}
