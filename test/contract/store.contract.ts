import { describe } from 'vitest';
import { describeAnonymousRollouts } from './store/anonymous-rollouts.ts';
import { describeClosing } from './store/closing.ts';
import { describeCohorts } from './store/cohorts.ts';
import { describeDiagnostics } from './store/diagnostics.ts';
import { describeGroups } from './store/groups.ts';
import { describeLastLabel } from './store/last-label.ts';
import { describeManifests } from './store/manifests.ts';
import { describePlans } from './store/plans.ts';
import { describeRecords } from './store/records.ts';
import { describeRestarts } from './store/restarts.ts';
import { describeRetention } from './store/retention.ts';
import { describeRounds } from './store/rounds.ts';
import { describeSamples } from './store/samples.ts';
import type { CreateStore, StoreSetup } from './store/scene.ts';
import { describeSkipping } from './store/skipping.ts';

/**
 * What every store must do, through the port alone. A store with a clock of its own passes `advance`, which
 * lets that clock go on.
 */
export function describeStore(
  name: string,
  createStore: CreateStore,
  options: Omit<StoreSetup, 'createStore'> = {},
): void {
  const setup: StoreSetup = { createStore, ...options };
  describe(`${name}: store contract`, () => {
    describeGroups(setup);
    describeAnonymousRollouts(setup);
    describeRounds(setup);
    describeSkipping(setup);
    describeClosing(setup);
    describeRestarts(setup);
    describeLastLabel(setup);
    describeRetention(setup);
    describeCohorts(setup);
    describeRecords(setup);
    describeManifests(setup);
    describeSamples(setup);
    describeDiagnostics(setup);
    describePlans(setup);
  });
}
