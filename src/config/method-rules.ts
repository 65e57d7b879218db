import type { MethodName } from '../domain/cohort.ts';
import type { CohortDraft } from './cohort-draft.ts';
import { OPTION_METHODS, type OptionKey } from './method-options-schema.ts';
import type { Issue } from './problems.ts';

/** Methods in which an agent may have role `teacher`. */
const WITH_TEACHERS: readonly MethodName[] = ['co-rl', 'co-rewarding-ii', 'comas'];

/** Methods that wait for nobody, so that no label can be old. */
const WAITING_FOR_NOBODY: ReadonlySet<MethodName> = new Set([
  'ground-truth',
  'rent',
  'intuitor',
  'llm-judge',
  'random',
  'format',
]);

/** Methods in which each group is voted on by itself, whatever the supervision. */
const ALWAYS_OWN_VOTE: ReadonlySet<MethodName> = new Set(['ttrl', 'co-rewarding-i', 'co-rewarding-ii']);

/** Whether one group alone must be able to reach `vote.min_votes`. */
export function votesOnOneGroup(draft: CohortDraft, supervision: string | undefined): boolean {
  const method = draft.get('method');
  if (method === undefined) return false;
  if (method === 'co-rl') return ['ring', 'peer-majority', 'adaptive'].includes(supervision ?? '');
  return ALWAYS_OWN_VOTE.has(method) || (method === 'inverted' && draft.options.label === 'self-vote');
}

/** What a method asks of the agents of its cohort. */
export function checkMethodAgents(draft: CohortDraft): readonly Issue[] {
  const agents = draft.agents ?? [];
  const method = draft.get('method');
  if (method === undefined || agents.length === 0) return [];
  if (!WITH_TEACHERS.includes(method)) {
    const teachers = agents.flatMap(({ role }, index): Issue[] => {
      const message = `role: teacher only makes sense with method: ${anyOf(WITH_TEACHERS)}, and method is ${method}`;
      return role === 'teacher' ? [{ path: ['agents', index, 'role'], message }] : [];
    });
    if (teachers.length > 0) return teachers;
  }
  switch (method) {
    case 'co-rewarding-i':
      return checkViews(draft);
    case 'co-rewarding-ii':
      return checkEmaTeacher(draft);
    default:
      return agents.every(({ role }) => role === 'teacher')
        ? [{ path: ['agents'], message: 'at least one agent must be a learner; all of them are teachers' }]
        : [];
  }
}

function checkViews({ agents }: CohortDraft): readonly Issue[] {
  const [one, other, third] = agents ?? [];
  if (one === undefined || other === undefined || third !== undefined) {
    const message = `method co-rewarding-i needs exactly 2 agents, the two views of one policy; got ${agents?.length}`;
    return [{ path: ['agents'], message }];
  }
  if (one.view === null || other.view === null || one.view !== other.view) return [];
  const message = `method co-rewarding-i needs two views: give one agent another view than "${one.view}", such as view: rephrased`;
  return [{ path: ['agents'], message }];
}

function checkEmaTeacher({ agents }: CohortDraft): readonly Issue[] {
  const roles = (agents ?? []).map(({ role }) => role);
  if (roles.includes(null)) return [];
  const teachers = roles.filter((role) => role === 'teacher').length;
  if (teachers === 1 && roles.length > 1) return [];
  const message =
    teachers === 1
      ? 'method co-rewarding-ii needs a learner beside its teacher'
      : `method co-rewarding-ii needs exactly 1 agent of role teacher, the slow copy of the policy; got ${teachers}`;
  return [{ path: ['agents'], message }];
}

/** `last-label` is for methods in which a label of an earlier round stands for that of this one. */
export function checkLastLabel(draft: CohortDraft): readonly Issue[] {
  const method = draft.get('method');
  if (draft.get('barrier') !== 'last-label' || method === undefined) return [];
  const isInvertedTruth = method === 'inverted' && draft.options.label !== 'self-vote';
  const why =
    WAITING_FOR_NOBODY.has(method) || isInvertedTruth
      ? 'which waits for nobody'
      : method === 'comas' || method === 'maporl'
        ? 'which rewards a discussion of this very round'
        : null;
  return why === null
    ? []
    : [{ path: ['barrier'], message: `last-label makes no sense with method ${method}, ${why}` }];
}

/** An option that nothing would read is a misunderstanding, so it is an error. */
export function checkMethodOptions(draft: CohortDraft): readonly Issue[] {
  const { options } = draft;
  const method = draft.get('method');
  if (method === undefined) return [];
  return (Object.keys(options) as OptionKey[]).flatMap((key): Issue[] => {
    const refuse = (need: string) => [
      { path: ['options', key], message: `${key} only makes sense with ${need}` },
    ];
    const methods = OPTION_METHODS[key];
    if (!methods.includes(method)) return refuse(`method: ${anyOf(methods)}, and method is ${method}`);
    switch (key) {
      case 'unparseable_reward':
        return options.base_format === true ? [] : refuse('base_format: true');
      case 'ema_start':
      case 'ema_end':
      case 'ema_interval':
        return options.ema_steps === undefined ? refuse('ema_steps, the length of the schedule') : [];
      case 'gamma':
        return (options.horizon ?? 'discounted') === 'discounted'
          ? []
          : refuse(`horizon: discounted, and horizon is ${options.horizon}`);
      case 'convention':
        return options.alpha === undefined ? refuse('alpha, the weights of the bonus') : [];
      default:
        return [];
    }
  });
}

function anyOf(methods: readonly string[]): string {
  const last = methods.at(-1) ?? '';
  return methods.length < 2 ? last : `${methods.slice(0, -1).join(', ')} or ${last}`;
}
