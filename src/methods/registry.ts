import type { MethodName } from '../domain/cohort.ts';
import { coRl } from './co-rl.ts';
import { groundTruth } from './ground-truth.ts';
import type { RewardMethod } from './method.ts';
import { ttrl } from './ttrl.ts';

const METHODS: Readonly<Record<MethodName, RewardMethod>> = {
  'co-rl': coRl,
  ttrl,
  'ground-truth': groundTruth,
};

export function methodOf(name: MethodName): RewardMethod {
  return METHODS[name];
}
