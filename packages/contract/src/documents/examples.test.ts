import { describe, expect, test } from 'bun:test';
import type { Endpoint } from '../common/endpoint.ts';
import { UNREADY_EXAMPLE } from '../service/examples.ts';
import { ERROR_CODES, ERRORS, PROBLEM_EXAMPLE, Problem } from '../stream/error-catalogue.ts';
import { MESSAGE_EXAMPLES } from '../stream/examples.ts';
import {
  DATA_MESSAGES,
  LOCKSTEP_NOTICES,
  MESSAGES,
  type MessageName,
  NOTICE_MESSAGES,
  REQUEST_MESSAGES,
} from '../stream/messages.ts';
import { Notice } from '../stream/notices.ts';
import { ClientMessage } from '../stream/requests.ts';
import { ENDPOINTS, type EndpointName } from './endpoints.ts';
import { JSON_BODY_EXAMPLES, LINE_EXAMPLES, REQUEST_EXAMPLES, RESPONSE_EXAMPLES } from './examples.ts';

const names = Object.keys(ENDPOINTS) as EndpointName[];
const messages = Object.keys(MESSAGES) as MessageName[];

describe('examples', () => {
  test.each(names)('the response of %s matches its schema exactly', (name) => {
    expect(ENDPOINTS[name].response.parse(RESPONSE_EXAMPLES[name])).toEqual(RESPONSE_EXAMPLES[name]);
  });

  test.each(names)('the request of %s has its path and only parameters that it accepts', (name) => {
    const { path, query }: Endpoint = ENDPOINTS[name];
    const url = new URL(REQUEST_EXAMPLES[name], 'http://localhost');
    expect(decodeURI(url.pathname)).toMatch(new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[\\w<>.-]+')}$`));
    const sent = Object.fromEntries(url.searchParams);
    expect(Object.keys(query?.shape ?? {})).toEqual(expect.arrayContaining(Object.keys(sent)));
    expect(query === undefined || query.safeParse(sent).success).toBe(true);
  });

  test('exactly the endpoints that take a body have a valid one', () => {
    for (const name of names) {
      const { method, body, lines }: Endpoint = ENDPOINTS[name];
      expect([name, JSON_BODY_EXAMPLES[name] !== undefined]).toEqual([name, body !== undefined]);
      expect([name, LINE_EXAMPLES[name] !== undefined]).toEqual([name, lines !== undefined]);
      expect(body?.safeParse(JSON_BODY_EXAMPLES[name]).error).toBeUndefined();
      if (body || lines) expect(method).toBeOneOf(['POST', 'PUT', 'PATCH']);
    }
  });

  test.each(messages)('the message %s matches its schema exactly', (name) => {
    expect(MESSAGES[name].schema.parse(MESSAGE_EXAMPLES[name])).toEqual(MESSAGE_EXAMPLES[name]);
  });

  test('cover every request and notice of a connection', () => {
    for (const name of Object.keys(REQUEST_MESSAGES) as (keyof typeof REQUEST_MESSAGES)[])
      expect(ClientMessage.safeParse(MESSAGE_EXAMPLES[name]).success).toBe(true);
    const notices = { ...NOTICE_MESSAGES, ...LOCKSTEP_NOTICES };
    for (const name of Object.keys(notices) as (keyof typeof notices)[])
      expect(Notice.safeParse(MESSAGE_EXAMPLES[name]).success).toBe(true);
    expect(Object.keys(REQUEST_MESSAGES)).toHaveLength(ClientMessage.options.length);
    expect(Object.keys(notices)).toHaveLength(Notice.options.length);
  });

  test('of data messages never have an event', () => {
    for (const name of Object.keys(DATA_MESSAGES) as (keyof typeof DATA_MESSAGES)[])
      expect(MESSAGE_EXAMPLES[name]).not.toHaveProperty('event');
  });

  test('of a REST error is what the catalogue says', () => {
    const { type, title, status, code } = Problem.parse(PROBLEM_EXAMPLE);
    expect([type, title, status]).toEqual([`/docs#error-${code}`, ERRORS[code].title, ERRORS[code].status!]);
  });

  test('have consistent numbers', () => {
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

  test('of a service that is not ready name the failed check', () => {
    expect(ENDPOINTS.readyz.response.parse(UNREADY_EXAMPLE).status).not.toBe('ok');
  });
});

test('every code of the catalogue belongs to one domain', () => {
  expect(Object.keys(ERRORS).sort()).toEqual([...ERROR_CODES].sort());
  for (const code of ERROR_CODES) expect(ERRORS[code].when).toMatch(/^[A-Z`a-z].*\.\)?$/);
});
