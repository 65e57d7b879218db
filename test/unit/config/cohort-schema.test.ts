import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type CohortConfig, cohortConfigSchema } from '../../../src/config/cohort-schema.ts';
import { toCohort } from '../../../src/config/parse-cohort.ts';

type Node = z.core.JSONSchema.BaseSchema;

function objectsIn(node: Node | boolean): readonly Node[] {
  if (typeof node === 'boolean') return [];
  const below = [
    ...Object.values(node.properties ?? {}),
    ...Object.values(node.$defs ?? {}),
    ...(node.anyOf ?? []),
    ...(node.items === undefined ? [] : [node.items].flat()),
  ];
  return [...(node.properties === undefined ? [] : [node]), ...below.flatMap(objectsIn)];
}

describe('the wire schema as JSON schema', () => {
  const json = z.toJSONSchema(cohortConfigSchema, { io: 'input', target: 'draft-2020-12' });
  const objects = objectsIn(json);

  test('is the component CohortConfig', () => {
    expect(json.$ref).toBe('#/$defs/CohortConfig');
  });

  test('refuses unknown keys at every level', () => {
    expect(objects).toHaveLength(14);
    for (const node of objects) expect(node.additionalProperties).toBe(false);
  });

  test('describes every field, and requires none but agents and their names', () => {
    for (const node of objects) {
      for (const [key, property] of Object.entries(node.properties ?? {})) {
        expect(property, key).toHaveProperty('description');
      }
    }
    expect(objects.flatMap(({ required }) => required ?? []).sort()).toEqual(['agents', 'name']);
  });

  test('shows the defaults that parsing applies, also of settings tied to another one', () => {
    const config: CohortConfig = cohortConfigSchema.parse({ agents: ['a', 'b'] });
    const { properties } = json.$defs?.CohortConfig ?? {};
    const shown = (key: string) => {
      const property = properties?.[key];
      return typeof property === 'object' ? property.default : undefined;
    };
    const { supervision, barrier } = toCohort('m', config);
    expect([shown('supervision'), shown('ring')]).toEqual(Object.values(supervision));
    expect([shown('max_staleness'), shown('grace_ms')]).toEqual([barrier.maxStaleness, barrier.graceMs]);
    expect([shown('k'), shown('deadline_ms'), shown('quorum')]).toEqual([8, 840_000, null]);
  });
});

test('what the schema returned can be parsed again', () => {
  const once = cohortConfigSchema.parse({ agents: ['a', { name: 'b' }], vote: { tie: 'random' } });
  expect(cohortConfigSchema.parse(once)).toEqual(once);
});
