import { describe, expect, test } from 'bun:test';
import { composed } from './composition.ts';
import type { JsonSchema } from './json-schema.ts';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const object = (properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});
const ofName = { first: text('First name'), middle: text('Middle name'), last: text('Last name') };
const ofPlace = { street: text('Street'), town: text('Town'), country: text('Country') };

describe('composed schemas', () => {
  test('refer to the schemas that have their fields', () => {
    const schemas = {
      Address: object({ ...ofName, ...ofPlace, zip: text('Code') }),
      Name: object(ofName),
      Place: object(ofPlace),
    };
    expect(composed(schemas, '#/')).toEqual({
      ...schemas,
      Address: {
        type: 'object',
        allOf: [{ $ref: '#/Name' }, { $ref: '#/Place' }],
        properties: { zip: text('Code') },
        required: ['zip'],
      },
    });
  });

  test('have no empty lists of fields', () => {
    const schemas = { Address: object({ ...ofName, ...ofPlace }), Name: object(ofName), Place: object(ofPlace) };
    expect(composed(schemas, '#/').Address).toEqual({
      type: 'object',
      allOf: [{ $ref: '#/Name' }, { $ref: '#/Place' }],
    });
  });

  test('repeat fields that another schema describes differently or has as optional', () => {
    const other = { ...ofName, last: text('Family name') };
    const schemas = {
      Address: object({ ...ofName, ...ofPlace }),
      Name: object(other),
      Place: object(ofPlace, ['country']),
      Pair: object({ first: ofName.first, last: ofName.last }),
      Same: object({ ...ofName, ...ofPlace }),
    };
    expect(composed(schemas, '#/')).toEqual(schemas);
  });
});
