const TOKEN = 'peervote-token';
const SLOW_MS = 15_000;

/** A reply that is no success, or none at all (`status` 0). */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} detail
   */
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** The token of this tab; gone with it. */
export const token = {
  get: () => sessionStorage.getItem(TOKEN),
  /** @param {string} value */
  set: (value) => sessionStorage.setItem(TOKEN, value),
  forget: () => sessionStorage.removeItem(TOKEN),
};

/**
 * What a path below /v1 answers. Throws ApiError.
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function get(path, signal) {
  const slow = AbortSignal.timeout(SLOW_MS);
  const reply = await ask(
    path,
    signal === undefined ? slow : AbortSignal.any([signal, slow]),
    'application/json',
  );
  try {
    return await reply.json();
  } catch {
    throw new ApiError(0, 'The answer broke off.');
  }
}

/**
 * Follows the events of a path until the stream ends or `signal` aborts. Throws ApiError. By hand, since EventSource can
 * send no token.
 * @param {string} path
 * @param {AbortSignal} signal
 * @param {(data: any) => void} onChange
 */
export async function follow(path, signal, onChange) {
  const reply = await ask(path, signal, 'text/event-stream');
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = (await reader?.read().catch(() => undefined)) ?? { done: true };
    if (done) return;
    const events = (text + value).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '));
      if (data !== undefined) onChange(JSON.parse(data.slice(6)));
    }
  }
}

/**
 * @param {string} path
 * @param {AbortSignal} signal
 * @param {string} accept
 */
async function ask(path, signal, accept) {
  const known = token.get();
  /** @type {Record<string, string>} */
  const headers = { accept };
  if (known !== null) headers.authorization = `Bearer ${known}`;
  /** @type {Response} */
  let reply;
  try {
    // Without credentials of the browser's own, which would ask for them in a dialog of its own.
    reply = await fetch(`v1/${path}`, { signal, headers, credentials: 'omit', cache: 'no-store' });
  } catch {
    throw new ApiError(0, 'The server does not answer.');
  }
  if (reply.ok) return reply;
  const problem = await reply.json().catch(() => ({}));
  throw new ApiError(
    reply.status,
    typeof problem.detail === 'string' ? problem.detail : `Status ${reply.status}.`,
  );
}
