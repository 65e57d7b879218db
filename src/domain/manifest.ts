import type { GroundTruth } from './bucket.ts';

/** One problem, with every text that a trainer may send for it. */
export interface ManifestEntry {
  readonly promptId: string;
  /** The original first; then aliases and rephrasings. At least one, none of them blank. */
  readonly texts: readonly string[];
  readonly groundTruth: GroundTruth | null;
  readonly split: 'train' | 'eval' | null;
}

/** The problems of a cohort, for trainers that send a prompt's text and nothing that names it. Validated. */
export interface Manifest {
  /** Changes whenever the entries do. */
  readonly version: string;
  /** Prompt ids are unique, and so are texts but for white space. */
  readonly entries: readonly ManifestEntry[];
}
