import type { StepReport } from './messages.ts';
import type { Problem } from './problems.ts';

/** The part of a bucket that is shown here; the server tells more. */
interface BucketReply {
  readonly rounds: readonly {
    readonly round: number;
    readonly groups: readonly {
      readonly agent: string;
      readonly label: string | null;
      readonly rewarded_by: readonly string[];
      readonly clusters: readonly { readonly answer: string; readonly votes: number }[];
      readonly rollouts: readonly { readonly answer: string | null; readonly reward: number | null }[];
    }[];
  }[];
}

type Round = BucketReply['rounds'][number];

/** Where the server explains every reward that the ring got for a prompt. */
export function bucketUrl(url: string, problem: Problem): string {
  return `${url}/v1/cohorts/ring/buckets/${problem.id}`;
}

/** The prompt on which the agents of the ring voted most differently at first: there is most to see. */
export function pickProblem(problems: readonly Problem[], reports: readonly StepReport[]): Problem {
  const differing = problems.map((problem) => {
    const labels = reports.flatMap(({ cohort, groups }) =>
      groups.flatMap(({ prompt_id, round, label }) =>
        cohort === 'ring' && prompt_id === problem.id && round === 0 ? [Number(label)] : [],
      ),
    );
    return { problem, count: new Set(labels).size };
  });
  return differing.reduce((best, each) => (each.count > best.count ? each : best)).problem;
}

/** One prompt of the ring as the server explains it: its first and its last round. */
export async function showInside(url: string, problem: Problem): Promise<string> {
  const response = await fetch(bucketUrl(url, problem));
  const { rounds } = (await response.json()) as BucketReply;
  const shown = [rounds[0], rounds.at(-1)].flatMap((round) => (round === undefined ? [] : [round]));
  return [`  "${problem.text}" (${problem.truth})`, ...shown.flatMap(renderRound)].join('\n');
}

function renderRound({ round, groups }: Round): string[] {
  return groups.map(({ agent, label, rewarded_by, clusters, rollouts }, at) => {
    const none = rollouts.filter(({ answer }) => answer === null).length;
    const votes = clusters.map(({ answer, votes }) => `${votes} × ${answer}`);
    if (none > 0) votes.push(`${none} × none`);
    const paid = rollouts.filter(({ reward }) => reward === 1).length;
    const when = at === 0 ? `round ${round}` : '';
    const verdict = `${rewarded_by.join(', ')} voted ${label ?? 'for nothing'}: ${paid} of ${rollouts.length} get 1`;
    return `  ${when.padEnd(10)}${agent.padEnd(6)}${votes.join(', ').padEnd(42)}${verdict}`;
  });
}
