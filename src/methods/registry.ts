import type { MethodName } from '../domain/cohort.ts';
import { coRewardingOne } from './co-rewarding-i.ts';
import { coRewardingTwo } from './co-rewarding-ii.ts';
import { coRl } from './co-rl.ts';
import { comas } from './comas.ts';
import { format } from './format.ts';
import { groundTruth } from './ground-truth.ts';
import { intuitor } from './intuitor.ts';
import { inverted } from './inverted.ts';
import { llmJudge } from './llm-judge.ts';
import { maporl } from './maporl.ts';
import type { RewardMethod } from './method.ts';
import { random } from './random.ts';
import { rent } from './rent.ts';
import { ttrl } from './ttrl.ts';

const METHODS: Readonly<Record<MethodName, RewardMethod>> = {
  'co-rl': coRl,
  ttrl,
  'ground-truth': groundTruth,
  rent,
  intuitor,
  'co-rewarding-i': coRewardingOne,
  'co-rewarding-ii': coRewardingTwo,
  comas,
  maporl,
  'llm-judge': llmJudge,
  random,
  format,
  inverted,
};

export function methodOf(name: MethodName): RewardMethod {
  return METHODS[name];
}
