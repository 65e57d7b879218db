import { groupName, type Rollout, type RolloutsFile } from '../../../../bench/replay/rollouts.ts';

/** Boxed answers of each agent for one prompt, or for each of its rounds. */
export function recordedFile(
  answers: Readonly<Record<string, readonly (readonly string[])[]>>,
): RolloutsFile {
  const rollouts = Object.entries(answers).flatMap(([agent, rounds]) =>
    rounds.flatMap((group, round) =>
      group.map((answer, index): Rollout => {
        const name = `${groupName({ agent, promptId: 'p', round })}|${index}`;
        const completion = `I think \\boxed{${answer}}`;
        return { name, promptId: 'p', agent, round, index, prompt: '1 + 1?', gold: '2', completion };
      }),
    ),
  );
  return { rollouts, agents: Object.keys(answers), k: Math.max(...rollouts.map(({ index }) => index)) + 1 };
}
