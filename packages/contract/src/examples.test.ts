import { describe, expect, test } from 'bun:test';
import type { Endpoint } from './endpoint.ts';
import { ENDPOINTS, type EndpointName } from './endpoints.ts';
import { ERROR_CODES, ERRORS, Problem } from './errors.ts';
import {
  BODY_EXAMPLES,
  JSON_BODY_EXAMPLES,
  MESSAGE_EXAMPLES,
  problemExample,
  REQUEST_EXAMPLES,
  RESPONSE_EXAMPLES,
  UNREADY_EXAMPLE,
} from './examples.ts';
import { DATA_MESSAGES, MESSAGES, type MessageName, NOTICE_MESSAGES, REQUEST_MESSAGES } from './messages.ts';
import { ClientMessage, Notice } from './stream.ts';

const names = Object.keys(ENDPOINTS) as EndpointName[];
const messages = Object.keys(MESSAGES) as MessageName[];

describe('examples', () => {
  test.each(names)('the response of %s is what its schema says, nothing more and nothing less', (name) => {
    expect(ENDPOINTS[name].response.parse(RESPONSE_EXAMPLES[name])).toEqual(RESPONSE_EXAMPLES[name]);
  });

  test.each(names)('the request of %s goes to its path with parameters that it takes', (name) => {
    const { path, query }: Endpoint = ENDPOINTS[name];
    const url = new URL(REQUEST_EXAMPLES[name], 'http://localhost');
    expect(decodeURI(url.pathname)).toMatch(new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[\\w<>-]+')}$`));
    const sent = Object.fromEntries(url.searchParams);
    expect(Object.keys(query?.shape ?? {})).toEqual(expect.arrayContaining(Object.keys(sent)));
    expect(query === undefined || query.safeParse(sent).success).toBe(true);
  });

  test('every endpoint that takes a body has one that it takes, and no other has any', () => {
    for (const name of names) {
      const { method, body, lines }: Endpoint = ENDPOINTS[name];
      expect([name, JSON_BODY_EXAMPLES[name] !== undefined]).toEqual([name, body !== undefined]);
      expect([name, BODY_EXAMPLES[name] !== undefined]).toEqual([name, lines !== undefined]);
      expect(body?.safeParse(JSON_BODY_EXAMPLES[name]).error).toBeUndefined();
      if (body || lines) expect(method).toBe('POST');
    }
  });

  test.each(messages)('the message %s is what its schema says', (name) => {
    expect(MESSAGES[name].schema.parse(MESSAGE_EXAMPLES[name])).toEqual(MESSAGE_EXAMPLES[name]);
  });

  test('every request and notice is one that the connection knows', () => {
    for (const name of Object.keys(REQUEST_MESSAGES) as (keyof typeof REQUEST_MESSAGES)[])
      expect(ClientMessage.safeParse(MESSAGE_EXAMPLES[name]).success).toBe(true);
    for (const name of Object.keys(NOTICE_MESSAGES) as (keyof typeof NOTICE_MESSAGES)[])
      expect(Notice.safeParse(MESSAGE_EXAMPLES[name]).success).toBe(true);
    expect(Object.keys(REQUEST_MESSAGES)).toHaveLength(ClientMessage.options.length);
    expect(Object.keys(NOTICE_MESSAGES)).toHaveLength(Notice.options.length);
  });

  test('data messages never carry an event', () => {
    for (const name of Object.keys(DATA_MESSAGES) as (keyof typeof DATA_MESSAGES)[])
      expect(MESSAGE_EXAMPLES[name]).not.toHaveProperty('event');
  });

  test('every error with a status has a body that links to its description', () => {
    for (const code of ERROR_CODES.filter((code) => 'status' in ERRORS[code])) {
      expect(Problem.parse(problemExample(code)).type).toBe(`/docs#error-${code}`);
    }
    expect(() => problemExample('too_slow')).toThrow('not answered over REST');
  });

  test('the numbers agree with each other', () => {
    const { bid, ask, spread } = RESPONSE_EXAMPLES.quote;
    expect(spread).toBeCloseTo(ask - bid, 9);
    const flow = MESSAGE_EXAMPLES.OrderFlowTick;
    expect(flow.delta).toBeCloseTo(flow.ask_volume - flow.bid_volume, 9);
    const { entry, entry_price, exit_price, stop_loss, pnl, pnl_r, pnl_percent } = MESSAGE_EXAMPLES.SignalClosed;
    const gained = (entry_price ?? 0) - (exit_price ?? 0);
    expect(pnl).toBeCloseTo(gained / (RESPONSE_EXAMPLES.symbols.items[1]?.pip_size ?? 0), 6);
    expect(pnl_r).toBeCloseTo(gained / (stop_loss - entry), 6);
    expect(pnl_percent).toBeCloseTo((gained / entry) * 100, 4);
  });

  test('a service that is not ready says which part is not', () => {
    expect(ENDPOINTS.readyz.response.parse(UNREADY_EXAMPLE).status).not.toBe('ok');
  });
});
