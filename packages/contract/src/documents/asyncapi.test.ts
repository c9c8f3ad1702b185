import { describe, expect, test } from 'bun:test';
import asyncApi3 from '@asyncapi/specs/schemas/3.0.0-without-$id.json';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { references, target, undescribedFields, unusedComponents } from '../../testing/document.ts';
import { CHANNELS } from '../stream/channels.ts';
import { MESSAGE_EXAMPLES } from '../stream/examples.ts';
import { MESSAGES, type MessageName } from '../stream/messages.ts';
import { CLOSE_CODES } from '../stream/notices.ts';
import { asyncApiDocument } from './asyncapi.ts';

interface Document {
  readonly info: { description: string };
  readonly channels: Record<string, { address: string; description?: string; messages: Record<string, unknown> }>;
  readonly operations: Record<string, { action: string; channel: { $ref: string }; messages: { $ref: string }[] }>;
  readonly components: {
    messages: Record<string, { payload: object; summary?: string }>;
    schemas: Record<string, { description?: string }>;
  };
}

const document = asyncApiDocument() as Document;
const text = JSON.stringify(document);
const names = Object.keys(MESSAGES) as MessageName[];

function validator(schema: object) {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

describe('the AsyncAPI document', () => {
  test('is valid according to the official schema of 3.0.0', () => {
    const validate = validator(asyncApi3);
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
    // The validator must be able to fail.
    expect(validate({ ...document, channels: { market: { address: 7 } } })).toBe(false);
  });

  test('has no dangling reference and no keyword of a standalone schema', () => {
    const refs = references(document);
    expect(refs.length).toBeGreaterThan(50);
    for (const ref of refs) expect([ref, target(document, ref)]).not.toEqual([ref, undefined]);
    for (const leftover of ['"$schema"', '"$id"', '"$defs"', '"definitions"']) expect(text).not.toContain(leftover);
  });

  test('describes every message, schema and field, and has no unused component', () => {
    for (const [name, { summary }] of Object.entries(document.components.messages))
      expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z].+\.$/)]);
    const undescribed = Object.entries(document.components.schemas).filter(([, { description }]) => !description);
    expect(undescribed.map(([name]) => name)).toEqual([]);
    expect(undescribedFields(document)).toEqual([]);
    expect(unusedComponents(document)).toEqual([]);
  });

  test('has every channel at its address, with all requests, notices and its data messages', () => {
    for (const channel of CHANNELS) expect(document.channels[channel]?.address).toBe(`/ws/${channel}`);
    const { MarketTick: _, ...others } = document.channels.market?.messages ?? {};
    expect(others).toHaveProperty('BarMessage');
    expect(Object.keys(others)).toHaveLength(15);
    expect(others).toHaveProperty('NextMessage');
    expect(document.channels.signals?.messages).toHaveProperty('SignalClosed');
    expect(Object.keys(document.channels.news?.messages ?? {})).toEqual(
      expect.arrayContaining(['NewsPublished', 'NewsRevised']),
    );
    expect(document.channels.news?.description).toContain('Without `symbols`');
    expect(document.channels.orderflow?.messages).not.toHaveProperty('MarketTick');
    expect(document.channels.signals?.messages).not.toHaveProperty('NextMessage');
  });

  test('sends or receives every message of a channel in one of its operations', () => {
    for (const channel of CHANNELS) {
      const used = Object.values(document.operations).flatMap((operation) => [
        ...operation.messages,
        ...((operation as { reply?: { messages: { $ref: string }[] } }).reply?.messages ?? []),
      ]);
      for (const name of Object.keys(document.channels[channel]?.messages ?? {}))
        expect(used).toContainEqual({ $ref: `#/channels/${channel}/messages/${name}` });
    }
  });

  test.each(names)('the example of %s is valid according to the published schema', (name) => {
    const validate = validator({
      allOf: [document.components.messages[name]?.payload],
      components: document.components,
    });
    expect([validate(MESSAGE_EXAMPLES[name]), validate.errors]).toEqual([true, null]);
  });

  test('describes every close code and whether to reconnect', () => {
    for (const { code, reconnect } of CLOSE_CODES)
      expect(document.info.description).toMatch(new RegExp(`\\| ${code} \\| .+ \\| ${reconnect ? 'yes' : 'no'} \\|`));
  });
});
