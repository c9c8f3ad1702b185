import { describe, expect, test } from 'bun:test';
import { ERROR_CODES, type JsonSchema } from '@tickwire/contract';
import { fieldTable, typeOf } from './fields.ts';
import { html } from './html.ts';

const words = (schema: JsonSchema) => html`${typeOf(schema)}`.markup.replace(/<[^>]+>/g, '');

describe('field tables', () => {
  test('describe the type of a value in words', () => {
    expect(words({ type: 'integer', minimum: 1, maximum: 500 })).toBe('integer, 1 to 500');
    expect(words({ type: 'number', minimum: -1, maximum: 1 })).toBe('number, −1 to 1');
    expect(words({ type: 'integer', minimum: -1 })).toBe('integer, at least −1');
    expect(words({ type: 'string', maxLength: 500 })).toBe('string, at most 500 characters');
    expect(words({ type: ['number', 'null'] })).toBe('number or null');
    expect(words({ anyOf: [{ $ref: '#/Quote' }, { type: 'null' }] })).toBe('Quote or null');
    expect(words({ type: 'array', items: { $ref: '#/OhlcvBar' } })).toBe('array of OhlcvBar');
    expect(words({ type: 'array', items: { enum: ['a', 'b'] } })).toBe('array of: a b');
    expect(words({ type: 'object', additionalProperties: { type: 'string' } })).toBe('map of string');
    expect(words({ const: 'subscribe' })).toBe('subscribe');
  });

  test('link to the error catalogue instead of listing every code', () => {
    expect(words({ enum: ERROR_CODES })).toBe('error code');
  });

  test('list the fields of nested objects and mark optional ones', () => {
    const { markup } = fieldTable({
      properties: {
        streams: { type: 'object', properties: { open: { type: 'integer' } }, required: ['open'] },
        rejected: { type: 'array', items: { type: 'object', properties: { code: { type: 'string' } } } },
      },
      required: ['streams'],
    });
    expect(markup).toContain('<code>streams.open</code></th>');
    expect(markup).toContain('<code>rejected[].code</code> <small>optional</small>');
  });
});
