// Collects the facts that a brief may state: a fixed list for one instrument, each with its exact text and the API path where
// it can be checked.
import { type ActiveSignal, type BriefCitation, iso, type NewsItem, type Timeframe } from '@tickwire/contract';
import type { Bar, FlowEvent, InstrumentSpec, TickEvent } from '@tickwire/engine';

export interface BriefFact {
  readonly id: string;
  readonly label: string;
  readonly value: number | string;
  /** Exactly as written in a brief. */
  readonly text: string;
  readonly source: string;
  readonly path: string;
}

/** A headline, and who wrote it. */
export interface BriefHeadline extends NewsItem {
  readonly origin?: string;
}

export interface BriefInput {
  readonly spec: InstrumentSpec;
  readonly quote: Pick<TickEvent, 'bid' | 'ask' | 'time'> | null;
  /** The latest bars, which may still be forming. */
  readonly hour: Bar | null;
  readonly day: Bar | null;
  readonly flow: Pick<FlowEvent, 'cumulativeDelta' | 'imbalance' | 'absorption'> | null;
  readonly signals: readonly ActiveSignal[];
  /** Newest first. */
  readonly news: readonly BriefHeadline[];
}

export type BriefFacts = ReadonlyMap<string, BriefFact>;

const MAX_SIGNALS = 3;
const MAX_HEADLINES = 3;
const MAX_TITLE = 200;

export const citationOf = ({ value, source, path }: BriefFact, figure: string): BriefCitation => ({
  figure,
  value,
  source,
  path,
});

export function collectFacts(input: BriefInput): BriefFacts {
  const facts = [
    ...quoteFacts(input),
    ...barFacts(input),
    ...flowFacts(input),
    ...signalFacts(input),
    ...newsFacts(input),
  ];
  return new Map(facts.map((fact) => [fact.id, fact]));
}

const signed = (value: number, digits: number): string => {
  const text = value.toFixed(digits);
  // No sign if the value rounds to zero.
  return Number(text) === 0 ? text.replace('-', '') : value > 0 ? `+${text}` : text;
};
const change = ({ open, close }: Bar): number => ((close - open) / open) * 100;

function quoteFacts({ spec, quote }: BriefInput): BriefFact[] {
  if (!quote) return [];
  const from = { source: 'quote', path: `/api/market/${spec.symbol}/quote` };
  const price = (value: number): string => value.toFixed(spec.digits);
  const time = iso(quote.time);
  const spread = price(quote.ask - quote.bid);
  return [
    { id: 'bid', label: 'bid', value: quote.bid, text: price(quote.bid), ...from },
    { id: 'ask', label: 'ask', value: quote.ask, text: price(quote.ask), ...from },
    { id: 'spread', label: 'spread in price units', value: Number(spread), text: spread, ...from },
    { id: 'quote_time', label: 'time of the quote, UTC', value: time, text: time.slice(11, 19), ...from },
  ];
}

function barFacts({ spec, hour, day }: BriefInput): BriefFact[] {
  const of = (name: string, timeframe: Timeframe, bar: Bar | null): BriefFact[] => {
    if (!bar) return [];
    const from = { source: `bars:${timeframe}`, path: `/api/market/${spec.symbol}?timeframe=${timeframe}&bars=1` };
    const price = (field: 'open' | 'high' | 'low' | 'close'): BriefFact => ({
      id: `${name}_${field}`,
      label: `${field} of the latest ${name}`,
      value: bar[field],
      text: bar[field].toFixed(spec.digits),
      ...from,
    });
    const percent = change(bar);
    return [
      price('open'),
      price('high'),
      price('low'),
      price('close'),
      {
        id: `${name}_change`,
        label: `change of the latest ${name}, from its open`,
        value: percent,
        text: `${signed(percent, 2)}%`,
        ...from,
      },
    ];
  };
  return [...of('hour', '1h', hour), ...of('day', '1d', day)];
}

function flowFacts({ flow }: BriefInput): BriefFact[] {
  if (!flow) return [];
  const from = { source: 'orderflow', path: '/ws/orderflow' };
  const { cumulativeDelta: delta, imbalance, absorption } = flow;
  return [
    {
      id: 'delta',
      label: 'volume bought at the ask less volume sold at the bid, since midnight UTC',
      value: delta,
      text: signed(delta, Math.abs(delta) >= 1_000 ? 0 : 2),
      ...from,
    },
    {
      id: 'imbalance',
      label: 'share of buyers less share of sellers in the volume of the last minute, from -1 to 1',
      value: imbalance,
      text: signed(imbalance, 2),
      ...from,
    },
    ...(absorption
      ? [{ id: 'absorption', label: 'passive side that holds the price', value: absorption, text: absorption, ...from }]
      : []),
  ];
}

function signalFacts({ spec, quote, signals }: BriefInput): BriefFact[] {
  const from = { source: 'signals', path: `/api/signals?symbol=${spec.symbol}&status=active&limit=500` };
  const number = (id: string, label: string, value: number, text = String(value)): BriefFact => ({
    id,
    label,
    value,
    text,
    ...from,
  });
  const buys = signals.filter(({ direction }) => direction === 'buy').length;
  const counts = [
    number('signals', 'active signals', signals.length),
    number('buy_signals', 'of them to buy', buys),
    number('sell_signals', 'of them to sell', signals.length - buys),
  ];
  if (!quote) return counts;
  // A buy would close at the bid, a sell at the ask.
  const pips = ({ direction }: ActiveSignal, level: number): number =>
    Math.abs(level - (direction === 'buy' ? quote.bid : quote.ask)) / spec.pipSize;
  const nearest = signals
    .map((signal) => ({ signal, target: pips(signal, signal.take_profit), stop: pips(signal, signal.stop_loss) }))
    .sort((a, b) => Math.min(a.target, a.stop) - Math.min(b.target, b.stop))
    .slice(0, MAX_SIGNALS);
  return [
    ...counts,
    ...nearest.flatMap(({ signal, target, stop }, index): BriefFact[] => {
      const id = `s${index + 1}`;
      const which = `of the active ${signal.direction} signal that is ${index === 0 ? 'nearest' : 'next nearest'} to its end`;
      const price = (value: number): string => value.toFixed(spec.digits);
      return [
        {
          id: `${id}_direction`,
          label: `direction ${which}`,
          value: signal.direction,
          text: signal.direction,
          ...from,
        },
        number(`${id}_entry`, `entry ${which}`, signal.entry, price(signal.entry)),
        number(`${id}_target`, `take profit ${which}`, signal.take_profit, price(signal.take_profit)),
        number(`${id}_stop`, `stop loss ${which}`, signal.stop_loss, price(signal.stop_loss)),
        number(`${id}_to_target`, `pips from the price to the take profit ${which}`, target, target.toFixed(1)),
        number(`${id}_to_stop`, `pips from the price to the stop loss ${which}`, stop, stop.toFixed(1)),
      ];
    }),
  ];
}

function newsFacts({ spec, news }: BriefInput): BriefFact[] {
  const from = { source: 'news', path: `/api/news?symbol=${spec.symbol}` };
  return news.slice(0, MAX_HEADLINES).flatMap(({ title, sentiment, sentiment_score: score }, index): BriefFact[] => {
    const id = `n${index + 1}`;
    const which = index === 0 ? 'the newest headline' : 'an earlier headline';
    const plain = title.replace(/[\p{C}\s]+/gu, ' ').trim();
    const text = plain.length > MAX_TITLE ? `${plain.slice(0, MAX_TITLE).toWellFormed()}…` : plain;
    return [
      { id: `${id}_title`, label: which, value: title, text, ...from },
      { id: `${id}_sentiment`, label: `sentiment of ${which}`, value: sentiment, text: sentiment, ...from },
      { id: `${id}_score`, label: `score of ${which}, from -1 to 1`, value: score, text: signed(score, 2), ...from },
    ];
  });
}
