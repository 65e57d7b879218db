/** One prompt as both agents answered it; null: no answer was found. */
export interface PlayedPrompt {
  readonly id: string;
  readonly truth: string | null;
  readonly answers: { readonly qwen: readonly (string | null)[]; readonly llama: readonly (string | null)[] };
}

type Name = keyof PlayedPrompt['answers'];

interface Vote {
  /** The answer of most rollouts; of equally many the one that came first. */
  readonly label: string | null;
  readonly isTied: boolean;
}

/**
 * What each panel of the dashboard `PeerVote: cohort` has to show after these prompts, by `title: legend`. Written from the paper and the
 * panels' own descriptions, without a line of the server's. Each agent is paid 1 for an answer that equals the other's label.
 */
export function expectedPanels(prompts: readonly PlayedPrompt[], k: number): Record<string, number> {
  const votes = (name: Name) => prompts.map(({ answers }) => vote(answers[name]));
  const [qwen, llama] = [votes('qwen'), votes('llama')];
  const both = qwen.flatMap(({ label }, at) =>
    label !== null && llama[at]?.label != null ? [label === llama[at]?.label] : [],
  );
  const graded = prompts.flatMap(({ truth }, at) => {
    if (truth === null) return [];
    const [one, other] = [qwen[at]?.label ?? null, llama[at]?.label ?? null];
    // A missing label is wrong.
    return [{ right: [one === truth, other === truth], same: one !== null && one === other }];
  });
  return {
    'Agreement of each pair: qwen / llama': share(both),
    'Complementarity of each pair: qwen / llama': share(graded.map(({ right }) => right[0] !== right[1])),
    'Complementarity of each pair: qwen / llama wrong alike': share(
      graded.map(({ right, same }) => same && right[0] === false),
    ),
    ...ofAgent('qwen', prompts, qwen, llama, k),
    ...ofAgent('llama', prompts, llama, qwen, k),
  };
}

function ofAgent(
  name: Name,
  prompts: readonly PlayedPrompt[],
  own: readonly Vote[],
  peer: readonly Vote[],
  k: number,
) {
  const answers = prompts.map((prompt) => prompt.answers[name]);
  // Without a label every rollout of the group is paid the same, 0 by default.
  const rewards = answers.map((group, at) => {
    const label = peer[at]?.label ?? null;
    return group.map((answer) => Number(label !== null && answer === label));
  });
  const deviations = rewards.map((group) => deviation(group));
  const graded = prompts.flatMap(({ truth }, at) => {
    const label = own[at]?.label ?? null;
    return truth === null || label === null ? [] : [label === truth];
  });
  const used = prompts.flatMap(({ truth }, at) => {
    const label = peer[at]?.label ?? null;
    return truth === null || label === null ? [] : [label === truth];
  });
  const offset = name === 'qwen' ? 100 : 200;
  return {
    [`Label accuracy: ${name}`]: share(graded),
    [`Accuracy of the labels used: ${name}`]: share(used),
    [`Label coverage: ${name}`]: share(own.map(({ label }) => label !== null)),
    [`Ties and unanimity: ${name} tied`]: share(own.map(({ isTied }) => isTied)),
    [`Ties and unanimity: ${name} unanimous`]: share(
      answers.map((group) => group[0] !== null && group.every((answer) => answer === group[0])),
    ),
    [`Reward, mean: ${name}`]: mean(rewards.flat()),
    [`Reward, deviation within a group: ${name}`]: mean(deviations),
    [`Groups without a gradient: ${name}`]: share(deviations.map((each) => each === 0)),
    [`Answers found: ${name}`]: share(answers.flat().map((answer) => answer !== null)),
    [`Completion length: ${name}`]: offset + (k - 1) / 2,
    [`Completions cut off: ${name}`]: 1 / k,
  };
}

function vote(answers: readonly (string | null)[]): Vote {
  const counts = new Map<string, number>();
  for (const answer of answers) if (answer !== null) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  const top = [...counts].filter(([, count]) => count === most).map(([answer]) => answer);
  return { label: top[0] ?? null, isTied: top.length > 1 };
}

function share(values: readonly boolean[]): number {
  return mean(values.map(Number));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}
