import { expect, test } from 'bun:test';
import { READ_ROWS_PER_REQUEST } from '@tickwire/contract';
import type { Caller } from '../access/caller.ts';
import type { ServiceError } from '../errors/service-error.ts';
import type { HandlerCall, HandlerResult } from './handler.ts';
import { ReadWork } from './read-work.ts';

const ROWS = 10_000;
const LIMIT = 60 * READ_ROWS_PER_REQUEST;
const caller = {
  account: { publicId: 'pub_a', tier: { requests_per_minute: 60 } },
  quota: { name: 'pub_a', grantedBy: 'Your tier' },
} as unknown as Caller;
const call = { caller, now: 0, request: new Request('http://localhost') } as unknown as HandlerCall;

test('a long read that finds no place costs no rows, and its refusal states what is left', async () => {
  const ends: (() => void)[] = [];
  const handle = new ReadWork().handlerOf({
    cost: () => ({ rows: ROWS, counted: false }),
    handle: () => new Promise<HandlerResult>((resolve) => ends.push(() => resolve('{}'))),
  });
  const granted = Array.from({ length: 10 }, () => handle(call));
  for (let at = 0; at < 2; at++) {
    let refused: ServiceError | null = null;
    try {
      handle(call);
    } catch (error) {
      refused = error as ServiceError;
    }
    expect(refused).toMatchObject({
      code: 'rate_limited',
      options: {
        headers: {
          'Read-Rows-Cost': `${ROWS}`,
          'Read-Rows-Limit': `${LIMIT}`,
          'Read-Rows-Remaining': `${LIMIT - 10 * ROWS}`,
        },
      },
    });
  }
  for (let ended = 0; ended < 10; ) {
    await Bun.sleep(1);
    for (const end of ends.splice(0)) {
      end();
      ended++;
    }
  }
  await Promise.all(granted);
});
