import type { Manifest } from '../../domain/manifest.ts';
import { type Caller, readAs, runOne } from './call.ts';
import { UnreadableValueError } from './checked-list.ts';
import type { KnownCohort } from './known-cohort.ts';

/** The manifests of cohorts: a hash with the version beside the entries, so that asking whether it changed is cheap. */
export class Manifests {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async put(known: KnownCohort | null, manifest: Manifest | null): Promise<void> {
    if (known === null) return;
    const { keys } = known;
    if (manifest === null) {
      await runOne(this.#caller, { name: 'unlink', args: [keys.manifest] });
      return;
    }
    const args = [keys.manifest, 'version', manifest.version, 'entries', JSON.stringify(manifest.entries)];
    await runOne(this.#caller, { name: 'hset', args });
  }

  async get(known: KnownCohort | null, knownVersion: string | null): Promise<Manifest | 'unchanged' | null> {
    if (known === null) return null;
    const { keys } = known;
    if (knownVersion !== null) {
      const version = await runOne(this.#caller, { name: 'hget', args: [keys.manifest, 'version'] });
      if (version === knownVersion) return 'unchanged';
    }
    const reply = await runOne(this.#caller, { name: 'hmget', args: [keys.manifest, 'version', 'entries'] });
    const [version, entries] = reply as readonly (string | null)[];
    if (version == null || entries == null) return null;
    return { version, entries: readAs(this.#caller, keys.manifest, () => decode(entries)) };
  }
}

/** Its entries came through the schema of the wire on their way in, so only their outline is checked. */
function decode(raw: string): Manifest['entries'] {
  try {
    const entries: unknown = JSON.parse(raw);
    if (Array.isArray(entries)) return entries as Manifest['entries'];
  } catch (error) {
    throw new UnreadableValueError('a manifest is not JSON', { cause: error });
  }
  throw new UnreadableValueError('a manifest is no list');
}
