import { describe, expect, it } from 'vitest';
import { ERROR_CODES, ServiceError } from '../../../src/domain/errors.ts';

describe('ServiceError', () => {
  it('carries a stable code, what the caller is told, and the cause for the log', () => {
    const cause = new Error('socket closed');
    const error = new ServiceError('store_unavailable', 'Try again.', { cause, details: { retry: true } });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'ServiceError',
      code: 'store_unavailable',
      message: 'Try again.',
      details: { retry: true },
      cause,
    });
  });

  it('has no details and no cause unless given', () => {
    const error = new ServiceError('internal', 'Broken.');
    expect(error.details).toEqual({});
    expect('cause' in error).toBe(false);
  });

  it('has codes that are told once and written alike', () => {
    expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length);
    for (const code of ERROR_CODES) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });
});
