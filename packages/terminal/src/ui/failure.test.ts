import { expect, test } from 'bun:test';
import { TickwireError } from '@tickwire/client';
import { explain } from './failure.ts';

const FIELDS = ['name', 'password'];

test('shows invalid input at its field', () => {
  const errors = [{ parameter: 'password', value: null, allowed: 'a text of 10 to 200 characters' }];
  const error = new TickwireError({ status: 400, code: 'invalid_parameter', detail: 'password must be …', errors });
  const { fields, general } = explain(error, FIELDS);
  expect([...fields]).toEqual([['password', 'Must be a text of 10 to 200 characters.']]);
  expect(general).toBe('');
});

test('shows errors of parameters that the form does not have', () => {
  const errors = [{ parameter: 'token', value: null, allowed: 'the token of the link' }];
  const error = new TickwireError({ status: 400, code: 'invalid_parameter', detail: '', errors });
  expect(explain(error, FIELDS)).toEqual({ fields: new Map(), general: 'token must be the token of the link.' });
});

test('assigns a taken name and a wrong password to their fields, if the form has them', () => {
  const taken = new TickwireError({ status: 409, code: 'name_taken', detail: 'Taken.' });
  expect([...explain(taken, FIELDS).fields.keys()]).toEqual(['name']);
  expect(explain(taken, ['scopes']).general).toBe('Taken.');
  const wrong = new TickwireError({ status: 403, code: 'wrong_password', detail: 'Wrong.' });
  expect([...explain(wrong, FIELDS).fields.keys()]).toEqual(['password']);
});

test('says when to retry after too many attempts', () => {
  const error = new TickwireError({ status: 429, code: 'too_many_attempts', detail: '', retryAfterSeconds: 30 });
  expect(explain(error, FIELDS).general).toBe('Too many attempts. Try again in 30 s.');
});

test('does not blame the user if the service is unavailable', () => {
  const busy = { detail: 'The store is being moved.', retryAfterSeconds: 5 };
  const unavailable = new TickwireError({ status: 503, code: 'store_unavailable', ...busy });
  expect(explain(unavailable).general).toBe('The store is being moved. Try again in 5 s.');
  const limited = new TickwireError({ status: 429, code: 'rate_limited', ...busy });
  expect(explain(limited).general).toBe('Too many requests. Try again in 5 s.');
});

test('distinguishes an unreachable service from an error in the page', () => {
  const silent = new TickwireError({ status: 0, code: 'network', detail: '' });
  expect(explain(silent).general).toContain('is not responding');
  expect(explain(new TypeError('x')).general).toContain('Something went wrong on this page');
});
