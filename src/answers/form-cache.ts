import { detach } from './detach.ts';
import { analyse } from './forms/analyse.ts';
import type { Form } from './forms/form.ts';
import { LruCache } from './lru-cache.ts';

/** Forms kept. A usual answer and its form take about a kilobyte, the worst of this length some twenty. */
const CACHED_FORMS = 2048;
const MAX_CACHED_LENGTH = 128;

const forms = new LruCache<string, Form | null>(CACHED_FORMS);

/** The normal form of an answer, remembered, since the answers of a group repeat. */
export function analyseCached(answer: string): Form | null {
  if (answer.length > MAX_CACHED_LENGTH) return analyse(answer);
  const known = forms.get(answer);
  if (known !== undefined) return known;
  const own = detach(answer);
  const form = analyse(own);
  forms.set(own, form);
  return form;
}
