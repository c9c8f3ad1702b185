// Conditions of alerts in plain words.
import type { AlertCondition, SimpleCondition } from '@tickwire/client';
import { plainNumber, price, setNumber, signed } from '../ui/format.ts';
import { spanOf } from '../ui/price-age.ts';
import { exactly } from '../ui/relative-time.ts';

type Write = (value: number) => string;

const plain: Write = (value) => setNumber(plainNumber(value));
const SIDE = { bid: 'Bid', ask: 'Ask', trade: 'Trade price' } as const;
const crossing = (cross: 'above' | 'below' | 'either'): string => (cross === 'either' ? '' : ` ${cross}`);
const TOUCHED_FROM = { above: ' from below', below: ' from above', either: '' } as const;
const either = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
/** Minutes without their remainder in seconds: `15 min`, `2 h`. */
const minutesText = (minutes: number): string => (minutes % 60 === 0 ? spanOf(minutes * 60_000) : `${minutes} min`);

/** `digits`: decimals of the instrument's prices; by default levels are written as they are. */
export function conditionText(condition: AlertCondition, digits?: number): string {
  const level: Write = (value) => (digits === undefined ? plain(value) : price(value, digits));
  if (condition.type !== 'all') return simpleText(condition, level);
  const [first = '', ...others] = condition.of.map((each) => simpleText(each, level));
  return [first, ...others.map((text) => text.charAt(0).toLowerCase() + text.slice(1))].join(', and ');
}

function simpleText(condition: SimpleCondition, level: Write): string {
  switch (condition.type) {
    case 'price': {
      const { cross, touch, is, side } = condition;
      const at = level(condition.level);
      if (cross !== undefined) return `${SIDE[side]} crosses${crossing(cross)} ${at}`;
      return touch === undefined ? `${SIDE[side]} is ${is} ${at}` : `${SIDE[side]} touches ${at}${TOUCHED_FROM[touch]}`;
    }
    case 'move': {
      const { side, direction, percent, minutes } = condition;
      const way = direction === 'either' ? '' : ` ${direction}`;
      return `${SIDE[side]} moves${way} ${plain(percent)}% within ${minutesText(minutes)}`;
    }
    case 'bar_close':
      return `${condition.interval} bar closes ${condition.close} ${level(condition.level)}`;
    case 'trend_line': {
      const { interval, cross, time, price: from, per_bar } = condition;
      const side = cross === 'either' ? 'across' : cross;
      const slope = `${signed(per_bar, plain(Math.abs(per_bar)))} per bar`;
      return `${interval} bar closes ${side} the line from ${level(from)} at ${exactly(Date.parse(time))}, ${slope}`;
    }
    case 'indicator': {
      const { indicator, line, interval, cross, is, value, other, other_line } = condition;
      const lineText = (name: string, of: string | undefined): string => (of === undefined ? name : `${name} ${of}`);
      const against = value === undefined ? lineText(other ?? '', other_line) : plain(value);
      const happens = cross === undefined ? `is ${is}` : `crosses${crossing(cross)}`;
      return `${lineText(indicator, line)} on ${interval} bars ${happens} ${against}`;
    }
    case 'volume':
      return `Volume of the ${condition.interval} bar is above ${plain(condition.above)}`;
    case 'delta': {
      const { interval, above, below } = condition;
      const beyond = above === undefined ? `below ${plain(below ?? 0)}` : `above ${plain(above)}`;
      return `Delta of the ${interval} bar is ${beyond}`;
    }
    case 'absorption':
      return condition.side === 'either'
        ? 'Absorption begins'
        : `Absorption begins: ${condition.side}ers hold the price`;
    case 'spread':
      return `Spread is above ${plain(condition.above)}`;
    case 'headline': {
      const { category, sentiment, words } = condition;
      const kind = [sentiment, category].filter((each) => each !== undefined).join(' ');
      const named = words ? ` with ${either(words.map((word) => `“${word}”`))}` : '';
      return kind === '' ? `Headline${named}` : `Headline, ${kind}${named}`;
    }
    case 'signal': {
      const by = condition.publisher === undefined ? '' : ` by ${condition.publisher}`;
      return `Signal ${either(condition.events)}${by}`;
    }
    case 'calendar': {
      const { minutes, impact, country } = condition;
      const least =
        impact === 'high' ? 'High-impact event' : impact === 'medium' ? 'Event of medium or high impact' : 'Event';
      const where = country === undefined ? '' : ` in ${country}`;
      return minutes === 0 ? `${least}${where} is due` : `${least}${where} is due in ${minutesText(minutes)}`;
    }
    case 'stale':
      return `No quote for ${condition.seconds} s while the market is open`;
    case 'market':
      return `Market ${condition.state}`;
  }
}
