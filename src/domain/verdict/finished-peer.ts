import type { Evidence } from './evidence.ts';
import { type Finding, findingOf } from './finding.ts';

/** An agent goes on after one that has finished, and its groups are skipped for want of a teacher. */
export function findFinishedPeers({ cohort, agents }: Evidence): readonly Finding[] {
  const finished = agents.filter((agent) => agent.finished);
  if (finished.length === 0) return [];
  return agents.flatMap(({ name, finished: isGone, lastArrivalAt, windows }): Finding[] => {
    const skipped = windows.at(-1)?.counts.skipped ?? 0;
    const after = finished.filter((peer) => (lastArrivalAt ?? 0) > (peer.lastArrivalAt ?? 0));
    if (isGone || skipped === 0 || after.length === 0) return [];
    const who = after.map((peer) => `"${peer.name}"`).join(', ');
    const paid = cohort.unlabeledReward === null ? 'nothing' : `${cohort.unlabeledReward}`;
    const message = `${who} has finished, and "${name}" goes on with nobody to learn from: ${skipped} of its latest groups were skipped and paid ${paid}. Stop its training too, or train both for the same number of steps.`;
    const last = Math.max(...after.map((peer) => peer.lastArrivalAt ?? 0));
    return [
      findingOf('finished_peer', {
        agents: [name, ...after.map((peer) => peer.name)],
        since: last,
        message,
        figures: { skipped },
      }),
    ];
  });
}
