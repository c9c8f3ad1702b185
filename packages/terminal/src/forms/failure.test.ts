import { expect, test } from 'bun:test';
import { TickwireError } from '@tickwire/client';
import { explain } from './failure.ts';

const FIELDS = ['name', 'password'];

test('bad input is said beside the field that it is about', () => {
  const errors = [{ parameter: 'password', value: null, allowed: 'a text of 10 to 200 characters' }];
  const error = new TickwireError({ status: 400, code: 'invalid_parameter', detail: 'password must be …', errors });
  const { fields, general } = explain(error, FIELDS);
  expect([...fields]).toEqual([['password', 'Must be a text of 10 to 200 characters.']]);
  expect(general).toBe('');
});

test('what is said of a field that the form does not have is not lost', () => {
  const errors = [{ parameter: 'token', value: null, allowed: 'the token of the link' }];
  const error = new TickwireError({ status: 400, code: 'invalid_parameter', detail: '', errors });
  expect(explain(error, FIELDS)).toEqual({ fields: new Map(), general: 'token must be the token of the link.' });
});

test('a taken name and a wrong password belong to their fields, and elsewhere to the form', () => {
  const taken = new TickwireError({ status: 409, code: 'name_taken', detail: 'Taken.' });
  expect([...explain(taken, FIELDS).fields.keys()]).toEqual(['name']);
  expect(explain(taken, ['scopes']).general).toBe('Taken.');
  const wrong = new TickwireError({ status: 403, code: 'wrong_password', detail: 'Wrong.' });
  expect([...explain(wrong, FIELDS).fields.keys()]).toEqual(['password']);
});

test('who tried too often is told when to try again', () => {
  const error = new TickwireError({ status: 429, code: 'too_many_attempts', detail: '', retryAfterSeconds: 30 });
  expect(explain(error, FIELDS).general).toBe('Too many attempts. Try again in 30 s.');
});

test('a wait that is not the doing of who asks is not called so', () => {
  const busy = { detail: 'The store is being moved.', retryAfterSeconds: 5 };
  const unavailable = new TickwireError({ status: 503, code: 'store_unavailable', ...busy });
  expect(explain(unavailable).general).toBe('The store is being moved. Try again in 5 s.');
  const limited = new TickwireError({ status: 429, code: 'rate_limited', ...busy });
  expect(explain(limited).general).toBe('Too much at once. Try again in 5 s.');
});

test('a service that does not answer and a fault of the page are told apart', () => {
  const silent = new TickwireError({ status: 0, code: 'network', detail: '' });
  expect(explain(silent).general).toContain('does not answer');
  expect(explain(new TypeError('x')).general).toContain('Something went wrong in this page');
});
