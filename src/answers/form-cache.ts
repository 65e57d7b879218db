import { detach } from './detach.ts';
import { analyse } from './forms/analyse.ts';
import type { Form } from './forms/form.ts';
import { LruCache } from './lru-cache.ts';

/** Forms kept; an answer of up to 256 characters and its form take about a kilobyte. */
const CACHED_FORMS = 4096;
const MAX_CACHED_LENGTH = 256;

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
