/** Keys whose numbers are floats on the wire, in every protocol. */
export const FLOAT_KEYS: ReadonlySet<string> = new Set([
  'reward',
  'rewards',
  'scores',
  'score',
  'reward_score',
  'extra_logs',
  'metrics',
  'label_share',
  'reward_weight',
  'advantage_offset',
  'reliability',
  'share',
  'threshold',
]);

/**
 * JSON text in which every number at or below a key of `floatKeys` is written as a float: `1` as `1.0`.
 *
 * Python reads `1` as an int, torch builds an int64 tensor from it, and OpenRLHF then crashes in `.std()`.
 * Otherwise the text is that of `JSON.stringify`, except that `toJSON` is not called: plain data only.
 *
 * @throws RangeError for NaN and infinities, which JSON cannot carry and `JSON.stringify` turns into null.
 * @throws TypeError for a bigint, and for a `value` that has no JSON text (undefined, a function, a symbol).
 */
export function stringifyWithFloats(value: unknown, floatKeys: ReadonlySet<string>): string {
  const writer = new FloatJsonWriter(floatKeys);
  const text = writer.write(value, 'The value', false);
  if (text === undefined) throw new TypeError(`A ${typeof value} has no JSON text.`);
  return text;
}

class FloatJsonWriter {
  readonly #floatKeys: ReadonlySet<string>;
  /** Replies repeat a few keys thousands of times. */
  readonly #quotedKeys = new Map<string, string>();

  constructor(floatKeys: ReadonlySet<string>) {
    this.#floatKeys = floatKeys;
  }

  /** `undefined` when the value has no JSON text; `key` is the nearest key, for messages. */
  write(value: unknown, key: string, isFloat: boolean): string | undefined {
    switch (typeof value) {
      case 'string':
        return JSON.stringify(value);
      case 'number':
        return writeNumber(value, key, isFloat);
      case 'boolean':
        return value ? 'true' : 'false';
      case 'object':
        if (value === null) return 'null';
        return Array.isArray(value)
          ? this.#writeArray(value, key, isFloat)
          : this.#writeObject(value as Record<string, unknown>, isFloat);
      case 'bigint':
        throw new TypeError(`${key} is a bigint, which has no JSON text.`);
      default:
        return undefined;
    }
  }

  #writeArray(values: readonly unknown[], key: string, isFloat: boolean): string {
    let text = '[';
    for (let i = 0; i < values.length; i++) {
      if (i > 0) text += ',';
      text += this.write(values[i], key, isFloat) ?? 'null';
    }
    return `${text}]`;
  }

  #writeObject(value: Readonly<Record<string, unknown>>, isFloat: boolean): string {
    let text = '{';
    let separator = '';
    for (const key of Object.keys(value)) {
      const member = this.write(value[key], key, isFloat || this.#floatKeys.has(key));
      if (member === undefined) continue;
      text += separator + this.#quote(key) + member;
      separator = ',';
    }
    return `${text}}`;
  }

  #quote(key: string): string {
    let quoted = this.#quotedKeys.get(key);
    if (quoted === undefined) {
      quoted = `${JSON.stringify(key)}:`;
      this.#quotedKeys.set(key, quoted);
    }
    return quoted;
  }
}

/** A number by itself, as a float. @throws RangeError for NaN and infinities. */
export function writeFloat(value: number): string {
  return writeNumber(value, 'The value', true);
}

function writeNumber(value: number, key: string, isFloat: boolean): string {
  if (!Number.isFinite(value)) throw new RangeError(`${key} is ${value}, which JSON cannot carry.`);
  // From 1e21 on the text has an exponent, which makes it a float already.
  return isFloat && Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value);
}
