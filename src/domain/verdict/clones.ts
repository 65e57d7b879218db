import type { AgentName } from '../cohort.ts';
import type { Evidence, SharedTexts, Visit } from './evidence.ts';
import { type Finding, findingOf } from './finding.ts';
import { formatShare } from './words.ts';

const FEWEST_TEXTS = 32;
const MOSTLY = 0.5;

/**
 * Two agents whose completions are mostly the same, character by character: whatever one believes, the other confirms.
 * Where no group is decided yet, what is waited for tells it.
 */
export function findClones({ agents, pairs }: Evidence): readonly Finding[] {
  return pairs.flatMap(({ agents: both, windows }): Finding[] => {
    const [first, second] = both;
    const visits = agents.find(({ name }) => name === first)?.visits ?? [];
    const recent = windows.at(-1)?.counts;
    const { texts, sameTexts } =
      recent !== undefined && recent.texts >= FEWEST_TEXTS ? recent : sharedIn(visits, second);
    if (texts < FEWEST_TEXTS || sameTexts < MOSTLY * texts) return [];
    const message = `"${first}" and "${second}" are clones: ${formatShare(sameTexts / texts)} of their latest ${texts} texts are identical, so each only confirms itself (Co-RL has become TTRL). Start them from different models, or give each trainer a sampling seed of its own and keep the prompts the same by other means: shuffle the rows beforehand, and train with shuffle_dataset=False and different seeds.`;
    return [
      findingOf('clones', { agents: both, since: null, message, figures: { texts, same_texts: sameTexts } }),
    ];
  });
}

function sharedIn(visits: readonly Visit[], other: AgentName): SharedTexts {
  let [texts, sameTexts] = [0, 0];
  for (const { sentBy } of visits) {
    const shared = sentBy.get(other);
    texts += shared?.texts ?? 0;
    sameTexts += shared?.sameTexts ?? 0;
  }
  return { texts, sameTexts };
}
