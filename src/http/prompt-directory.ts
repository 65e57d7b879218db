import type { Manifest } from '../domain/manifest.ts';
import type { KnownPrompts } from '../protocol/manifest/identify-prompt.ts';
import { PromptIndex } from '../protocol/manifest/prompt-index.ts';
import type { Manifests } from '../service/manifests.ts';

/** What the routes look prompts up in; each manifest is indexed once. */
export class PromptDirectory {
  readonly #manifests: Manifests;
  readonly #indexes = new WeakMap<Manifest, PromptIndex>();

  constructor(manifests: Manifests) {
    this.#manifests = manifests;
  }

  of(cohort: string): KnownPrompts {
    return async () => {
      const manifest = await this.#manifests.get(cohort);
      if (manifest === null) return null;
      const known = this.#indexes.get(manifest);
      if (known !== undefined) return known;
      const index = new PromptIndex(manifest);
      this.#indexes.set(manifest, index);
      return index;
    };
  }
}
