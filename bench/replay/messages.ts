import type { ExtractionMode } from '../../src/answers/modes.ts';

export type Protocol = 'native' | 'openrlhf';

/** What an OpenRLHF label holds: an object with the prompt id, or the bare truth, so that the id comes from the text. */
export type LabelStyle = 'json' | 'gold';

/** What a client process is started with. */
export interface ClientStart {
  readonly file: string;
  readonly url: string;
  readonly cohort: string;
  readonly agent: string;
  /** Place of the agent in the ring. */
  readonly position: number;
  readonly mode: ExtractionMode;
  readonly seed: number;
  /** Null: the client names none, as trainers without one. */
  readonly incarnation: string | null;
  /** A trainer that came back as a new incarnation sends groups whole: its earlier part of them is void. */
  readonly wholeGroups: boolean;
  /** Names of rollouts whose rewards had arrived when an earlier process of this agent was killed. */
  readonly acknowledged: readonly string[];
  readonly labelStyle: LabelStyle;
  /** Groups whose last rollout may be sent: see {@link ToClient}. */
  readonly released: readonly string[];
}

/** A reward as the client read it. `label`: its text, or for a protocol that does not say, whether there is one. */
export interface Rewarded {
  readonly name: string;
  readonly reward: number | null;
  readonly label: string | null | boolean;
}

/** What one client process counted. */
export interface Counters {
  /** Requests that carried rollouts. */
  posts: number;
  /** Rollouts in them, repeats included. */
  sent: number;
  polls: number;
  pending: number;
  unavailable: number;
  aborts: number;
  broken: number;
  /** Most requests that one rollout took to be rewarded. */
  mostTries: number;
}

export type FromClient =
  /** `open`: requests that wait for their reply just now. */
  | {
      readonly kind: 'progress';
      readonly rewards: readonly Rewarded[];
      readonly open: number;
      readonly counters: Counters;
    }
  /** The connections of this group that had to break are broken: from now on its reply will be read. */
  | { readonly kind: 'ready'; readonly group: string }
  | { readonly kind: 'fault'; readonly text: string }
  | { readonly kind: 'done' };

/** The last rollout of this group of the client may be sent. */
export interface ToClient {
  readonly kind: 'release';
  readonly group: string;
}
