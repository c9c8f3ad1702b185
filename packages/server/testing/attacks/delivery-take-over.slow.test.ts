// A delivery worker takes over from another while the database answers late, or loses answers to calls that took effect. No
// destination is left to a lease that nobody uses (its messages would wait for 30 seconds), nothing is sent twice, and the order is kept.
import { expect, test } from 'bun:test';
import { delayedStore } from '../delivery/delayed-store.fixture.ts';
import { DELIVERED, openOutbox, until } from '../delivery/outbox.fixture.ts';
import { atScale } from '../scale.fixture.ts';

const ROUNDS = atScale(8, 200);
const DESTINATIONS = ['1', '2', '3', '4', '5', '6'];
const LETTERS = [...'abcdefgh'];
const MAX_DELAY_MS = 8;

/** Reproducible, by the number of the round. */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_769 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return state / 2 ** 32;
  };
}

test(`${ROUNDS} take-overs with random delays and lost answers deliver everything at once, in order, once`, async () => {
  let lost = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await using outbox = openOutbox();
    await outbox.addDestinations(DESTINATIONS);
    const random = randomOf(round);
    const delay = () => Bun.sleep(random() * MAX_DELAY_MS);
    const store = delayedStore(outbox.store.delivery, {
      before: delay,
      async after(call) {
        await delay();
        // That the outcomes of a stop are lost is declared; here nothing is to be sent twice.
        if (call !== 'lease' || random() > 0.4) return;
        lost++;
        throw new Error('the connection was lost');
      },
    });
    const sent: string[] = [];
    const active = new Set<string>();
    const send = async (_: unknown, { id }: { id: string }) => {
      expect(active.has(id[0]!)).toBe(false);
      active.add(id[0]!);
      sent.push(id);
      await delay();
      active.delete(id[0]!);
      return DELIVERED;
    };
    const first = await outbox.worker(send, { store, id: 'first' });
    let second: typeof first | null = null;
    let stopped: Promise<void> | null = null;
    for (const letter of LETTERS) {
      await outbox.addMessages(DESTINATIONS.map((id) => id + letter).join(' '));
      first.wake();
      second?.wake();
      await delay();
      if (letter === 'c') second = await outbox.worker(send, { store, id: 'second' });
      if (letter === 'f') stopped = first.stop();
    }
    await stopped;
    await until('everything is delivered', async () => (await outbox.store.delivery.counts()).waiting === 0);
    for (const id of DESTINATIONS)
      expect(sent.filter((each) => each.startsWith(id))).toEqual(LETTERS.map((letter) => id + letter));
  }
  expect(lost).toBeGreaterThan(ROUNDS / 4);
});
