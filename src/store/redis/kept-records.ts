import type { AgentName, Cohort } from '../../domain/cohort.ts';
import type { StepIncrement } from '../../domain/diagnostics/tally.ts';
import type { Manifest } from '../../domain/manifest.ts';
import type { DiagnosticsRead, StepRange, SubmissionRecord } from '../store.ts';
import type { Connection } from './connection.ts';
import { Diagnostics } from './diagnostics.ts';
import type { KnownCohort } from './known-cohort.ts';
import { Manifests } from './manifests.ts';
import { Submissions } from './submissions.ts';

/** The part of the store that is kept of a cohort beside its prompts: submissions, the manifest, figures. */
export abstract class KeptRecords {
  readonly connection: Connection;
  readonly #submissions: Submissions;
  readonly #manifests: Manifests;
  readonly #diagnostics: Diagnostics;

  constructor(connection: Connection) {
    this.connection = connection;
    this.#submissions = new Submissions(connection);
    this.#manifests = new Manifests(connection);
    this.#diagnostics = new Diagnostics(connection);
  }

  /** The cohort of this name, and where it lies; null where there is none. */
  protected abstract find(name: string): Promise<KnownCohort | null>;

  async putSubmission(cohort: Cohort, id: string, record: SubmissionRecord): Promise<void> {
    const known = await this.find(cohort.name);
    if (known !== null) await this.#submissions.put(known, cohort, id, record);
  }

  async getSubmission(cohort: string, agent: AgentName, id: string): Promise<SubmissionRecord | null> {
    const known = await this.find(cohort);
    return known === null ? null : this.#submissions.get(known, agent, id);
  }

  async putManifest(cohort: string, manifest: Manifest | null): Promise<void> {
    await this.#manifests.put(await this.find(cohort), manifest);
  }

  async getManifest(cohort: string, knownVersion: string | null): Promise<Manifest | 'unchanged' | null> {
    return this.#manifests.get(await this.find(cohort), knownVersion);
  }

  async addDiagnostics(cohort: string, increments: readonly StepIncrement[]): Promise<void> {
    await this.#diagnostics.add(await this.find(cohort), increments);
  }

  async readDiagnostics(cohort: string, range: StepRange): Promise<DiagnosticsRead> {
    return this.#diagnostics.read(await this.find(cohort), range);
  }
}
