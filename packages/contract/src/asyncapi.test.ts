import { describe, expect, test } from 'bun:test';
import asyncApi3 from '@asyncapi/specs/schemas/3.0.0-without-$id.json';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { asyncApiDocument } from './asyncapi.ts';
import { MESSAGE_EXAMPLES } from './examples.ts';
import { MESSAGES, type MessageName } from './messages.ts';
import { CHANNELS, CLOSE_CODES } from './stream.ts';

interface Document {
  readonly info: { description: string };
  readonly servers: { tickwire: { host: string; protocol: string } };
  readonly channels: Record<string, { address: string; description?: string; messages: Record<string, unknown> }>;
  readonly operations: Record<string, { action: string; channel: { $ref: string }; messages: { $ref: string }[] }>;
  readonly components: { messages: Record<string, { payload: object }>; schemas: Record<string, object> };
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
  test('is valid by the official schema of 3.0.0', () => {
    const validate = validator(asyncApi3);
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
    // The validator must be able to say no.
    expect(validate({ ...document, channels: { market: { address: 7 } } })).toBe(false);
  });

  test('every reference in it leads somewhere, and no leftovers of single schemas stand in it', () => {
    const refs = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref);
    expect(refs.length).toBeGreaterThan(50);
    for (const ref of refs) {
      const target = ref
        .split('/')
        .slice(1)
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
      expect([ref, target]).not.toEqual([ref, undefined]);
    }
    for (const leftover of ['"$schema"', '"$id"', '"$defs"', '"definitions"']) expect(text).not.toContain(leftover);
  });

  test('has every channel at its address, with all requests and notices and its own data', () => {
    for (const channel of CHANNELS) expect(document.channels[channel]?.address).toBe(`/ws/${channel}`);
    const { MarketTick: _, ...others } = document.channels.market?.messages ?? {};
    expect(others).toHaveProperty('BarMessage');
    expect(Object.keys(others)).toHaveLength(13);
    expect(document.channels.signals?.messages).toHaveProperty('SignalClosed');
    expect(Object.keys(document.channels.news?.messages ?? {})).toEqual(
      expect.arrayContaining(['NewsPublished', 'NewsRevised']),
    );
    expect(document.channels.news?.description).toContain('Without `symbols`');
    expect(document.channels.orderflow?.messages).not.toHaveProperty('MarketTick');
  });

  test('every message of a channel is sent or received in some operation of it', () => {
    for (const channel of CHANNELS) {
      const used = Object.values(document.operations).flatMap((operation) => [
        ...operation.messages,
        ...((operation as { reply?: { messages: { $ref: string }[] } }).reply?.messages ?? []),
      ]);
      for (const name of Object.keys(document.channels[channel]?.messages ?? {}))
        expect(used).toContainEqual({ $ref: `#/channels/${channel}/messages/${name}` });
    }
  });

  test.each(names)('the example of %s is valid by the published schema', (name) => {
    const validate = validator({
      allOf: [document.components.messages[name]?.payload],
      components: document.components,
    });
    expect([validate(MESSAGE_EXAMPLES[name]), validate.errors]).toEqual([true, null]);
  });

  test('describes every close code and whether to come back', () => {
    for (const { code, reconnect } of CLOSE_CODES)
      expect(document.info.description).toMatch(new RegExp(`\\| ${code} \\| .+ \\| ${reconnect ? 'yes' : 'no'} \\|`));
  });

  test('names the host and the scheme it is told', () => {
    expect(document.servers.tickwire).toMatchObject({ host: 'localhost', protocol: 'wss' });
    const { servers } = asyncApiDocument({ host: 'localhost:7070', secure: false }) as Document;
    expect(servers.tickwire).toMatchObject({ host: 'localhost:7070', protocol: 'ws' });
  });
});
