/** Shorter ones would be found everywhere, and finding them would tell what they are. */
const SHORTEST = 4;
const HIDDEN = '***';
/** A URL from its authority to its end. */
const AUTHORITY = /:\/\/[^\s"'<>`]+/g;

/**
 * Takes secrets out of text that goes out: log lines, problems, what is written to a terminal. Those it was told of, as
 * they are and as URLs and JSON write them, and who logs in in any URL.
 */
export class Redaction {
  readonly #secrets: readonly string[];

  constructor(secrets: Iterable<string> = []) {
    const written = [...secrets].flatMap((secret) => [
      secret,
      encodeURIComponent(secret.toWellFormed()),
      JSON.stringify(secret).slice(1, -1),
    ]);
    const distinct = [...new Set(written)].filter((secret) => secret.length >= SHORTEST);
    // The longest first: one may be a part of another.
    this.#secrets = distinct.sort((a, b) => b.length - a.length);
  }

  readonly clean = (text: string): string => {
    let clean = text;
    for (const secret of this.#secrets) clean = clean.replaceAll(secret, HIDDEN);
    return clean.replaceAll(AUTHORITY, hideLogin);
  };
}

/** Up to the last @, since a password that was not encoded may hold any of them. */
function hideLogin(url: string): string {
  const at = url.lastIndexOf('@');
  return at < 0 ? url : `://${HIDDEN}${url.slice(at)}`;
}
