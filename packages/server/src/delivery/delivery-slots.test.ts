import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { DELIVERED } from '../../testing/delivery/outbox.fixture.ts';
import type { Channel } from './channel.ts';
import { DeliverySlots, type SlotUse } from './delivery-slots.ts';

const channel = (name: Channel['name'], atOnce?: number): Channel => ({
  name,
  ...(atOnce !== undefined && { atOnce }),
  send: async () => DELIVERED,
});
const CHANNELS = new Map([channel('webhook'), channel('email', 16)].map((each) => [each.name, each]));

/** Slots that some accounts use as much as they can, one after the other. */
function fill(accounts: number, name: Channel['name'] = 'webhook'): { slots: DeliverySlots; used: number[] } {
  const held = new Map<string, SlotUse>();
  const slots = new DeliverySlots(held, CHANNELS, {});
  const used = Array.from({ length: accounts }, () => 0);
  for (let taken = true; taken; ) {
    taken = false;
    for (const index of used.keys()) {
      const use = { account: `pub_${index}`, channel: name };
      if (!slots.room().take(use)) continue;
      held.set(`${index} ${used[index]!++}`, use);
      taken = true;
    }
  }
  return { slots, used };
}

test('the more accounts send, the fewer slots each has, and an account with none finds one', () => {
  expect(fill(1).used).toEqual([16]);
  for (const accounts of [2, 8, 20, 60]) {
    const { slots, used } = fill(accounts);
    expect(Math.max(...used) - Math.min(...used)).toBeLessThanOrEqual(1);
    expect(slots.room().take({ account: 'other', channel: 'webhook' })).toBe(true);
  }
});

test('a channel with few slots shares them too, and leaves the other channels alone', () => {
  const { slots } = fill(3, 'email');
  for (const name of ['email', 'webhook'] as const)
    expect(slots.room().take({ account: 'other', channel: name })).toBe(true);
  const { slots: full } = fill(20, 'email');
  expect(full.room().take({ account: 'other', channel: 'email' })).toBe(false);
  expect(full.room().only().channels).toEqual([{ name: 'webhook', exceptAccounts: [] }]);
});

test('what can be leased is what has a slot', () => {
  const use = fc.record({
    account: fc.integer({ max: 5, min: 0 }).map(String),
    channel: fc.constantFrom('webhook', 'email'),
  });
  fc.assert(
    fc.property(fc.array(use, { maxLength: 150 }), use, (uses, next) => {
      const held = new Map<string, SlotUse>();
      const slots = new DeliverySlots(held, CHANNELS, {});
      for (const [index, each] of uses.entries()) if (slots.room().take(each)) held.set(String(index), each);
      const { channels } = slots.room().only();
      const listed = channels.some(
        ({ name, exceptAccounts }) => name === next.channel && !exceptAccounts.includes(next.account),
      );
      expect(slots.room().take(next)).toBe(listed);
      expect(slots.isContested(next)).toBe(!listed);
    }),
  );
});
