// A scenario reflected about a price: bid and ask are swapped, and so are buys and sells.
import { fromTicks, toTicks } from '@tickwire/engine';
import type { Answer, Scenario, ScenarioEvent, SignalRequest } from './scenario.fixture.ts';

export interface Mirror {
  /** The image of a price. */
  price(price: number): number;
  scenario: Scenario;
}

/** About the middle of the first quote. */
export function mirrored({ scenario, instrument, events }: Scenario): Mirror {
  const { digits } = instrument;
  const [first] = events;
  if (first?.type !== 'quote') throw new Error('a scenario begins with a quote');
  const axis = toTicks(first.bid, digits) + toTicks(first.ask, digits);
  // A mean of several exits has four decimals more.
  const image = (price: number, about = axis): number =>
    fromTicks(about * 10_000 - toTicks(price, digits + 4), digits + 4);
  let spread = 0;
  const imageOf = (event: ScenarioEvent): ScenarioEvent => {
    switch (event.type) {
      case 'quote':
        spread = toTicks(event.ask, digits) - toTicks(event.bid, digits);
        return { ...event, bid: image(event.ask), ask: image(event.bid) };
      case 'trade':
        return { ...event, price: image(event.price), side: other(event.side) };
      case 'bar': {
        // A bar has bids: the image of its asks are the bids of the other market.
        const { open, high, low, close } = event;
        const ofAsk = (price: number): number => image(price, axis - spread);
        return { ...event, open: ofAsk(open), high: ofAsk(low), low: ofAsk(high), close: ofAsk(close) };
      }
      case 'publish':
        return { ...event, request: requestOf(event.request, image) };
      case 'amend':
        return { ...event, stop_loss: image(event.stop_loss) };
      default:
        return event;
    }
  };
  return { price: image, scenario: { scenario, instrument, events: events.map(imageOf) } };
}

function requestOf(request: SignalRequest, image: (price: number) => number): SignalRequest {
  const { direction, entry, stop_loss, take_profit, targets } = request;
  return {
    ...request,
    direction: other(direction),
    ...(entry !== undefined && { entry: image(entry) }),
    stop_loss: image(stop_loss),
    ...(take_profit !== undefined && { take_profit: image(take_profit) }),
    ...(targets && { targets: targets.map(({ price, fraction }) => ({ price: image(price), fraction })) }),
  };
}

const other = (side: 'buy' | 'sell'): 'buy' | 'sell' => (side === 'buy' ? 'sell' : 'buy');

/** The answer for the other market. Percentages have another base there: only their signs are kept. */
export function mirroredAnswer(answer: Answer, image: (price: number) => number): Answer {
  if (!('order' in answer)) return answer;
  const { filled, exits, closed, stop_in_force, ...rest } = answer;
  const ofPrice = (price: unknown): number | null => (typeof price === 'number' ? image(price) : null);
  const lastExit = closed?.last_exit as { fraction: number; price: number } | null | undefined;
  return {
    ...rest,
    filled: filled && { ...filled, entry_price: image(filled.entry_price!) },
    exits: exits.map((exit) => ({ ...exit, price: image(exit.price!) })),
    closed: closed && {
      ...closed,
      entry_price: ofPrice(closed.entry_price),
      exit_price: ofPrice(closed.exit_price),
      last_exit: lastExit ? { ...lastExit, price: image(lastExit.price) } : null,
      pnl_percent: Math.sign(closed.pnl_percent as number),
    },
    ...(stop_in_force !== undefined && { stop_in_force: image(stop_in_force) }),
  };
}
