// The selected instrument in large figures, with the age of its price and the state of its market. The prices change up to 16
// times a second, so they are written directly into their elements.
import { useSignal } from '@preact/signals';
import type { Instrument } from '@tickwire/client';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { EventCountdown } from '../calendar/event-countdown.tsx';
import { isPerpetual } from '../services/is-perpetual.ts';
import { dayChange, type Row } from '../services/quote-board.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { make, write, writeSigned } from '../ui/dom/elements.ts';
import { moveUnit, NO_VALUE, percent, pipParts, pips, price } from '../ui/format.ts';
import { useAbortEffect, useNow } from '../ui/hooks.ts';
import { poll } from '../ui/poll.ts';
import { preferences } from '../ui/preferences.ts';
import { LIVE_WITHIN_MS, SILENT_AFTER_MS, tickAge } from '../ui/price-age.ts';
import { listenToSwipes } from '../ui/swipe.ts';
import { SourceNote } from './source-note.tsx';

interface Props {
  readonly services: Pick<
    TerminalServices,
    'client' | 'isReplay' | 'notifier' | 'pace' | 'quotes' | 'status' | 'streams'
  >;
  readonly instrument: Instrument;
  /** A swipe, on a phone: 1 for the next instrument. */
  readonly onSwipe: (by: 1 | -1) => void;
  /** Controls of the page, at the end. */
  readonly children?: ComponentChildren;
}

const HOURS_EVERY_MS = 60_000;
/** The service needs two whole minutes to tell whether the market is closed. */
const HOURS_LOOK_BACK_MS = 4 * 60_000;

const STATE_TEXT = { open: 'open', closed: 'closed', silent: 'open, no ticks', unknown: '' } as const;

const FIGURES = [
  ['Bid', 'side'],
  ['Ask', 'side'],
  ['Spread', ''],
  ['Day', ''],
  ['High', 'range'],
  ['Low', 'range'],
] as const;

export function InstrumentHead({ services, instrument, onSwipe, children }: Props) {
  const head = useRef<HTMLElement>(null);
  useAbortEffect((signal) => listenToSwipes(head.current!, signal, onSwipe), [onSwipe]);
  const { quotes, status } = services;
  const { symbol, name } = instrument;
  useNow(1_000);
  const ageMs = quotes.ageMs(symbol);
  const state = useMarketState(services, symbol, ageMs);
  const { bid = null, digits = 0 } = quotes.row(symbol) ?? {};
  useLayoutEffect(() => {
    const what = bid === null ? '' : `${symbol} ${price(bid, digits)} · `;
    document.title = `${services.isReplay ? 'REPLAY · ' : ''}${what}Tickwire`;
  });
  return (
    <header class="head panel" ref={head}>
      <div class="head-row">
        <div class="title">
          <div class="names">
            <h1>{symbol}</h1>
            <span>{name}</span>
          </div>
          <p class="head-facts">
            <span class="market-state" data-state={state}>
              {STATE_TEXT[state]}
            </span>
            <span class="age" data-old={ageMs === null || ageMs >= LIVE_WITHIN_MS}>
              {tickAge(ageMs)}
            </span>
            <span class="source">{status.simulated.value && 'simulated'}</span>
            <EventCountdown services={services} symbol={symbol} />
          </p>
        </div>
        <Prices quotes={quotes} instrument={instrument} />
        {isPerpetual(symbol) && <Perpetual services={services} symbol={symbol} />}
        {children}
      </div>
      {!services.isReplay && <SourceNote services={services} symbol={symbol} />}
    </header>
  );
}

/** What the venue of a perpetual publishes beside prices. Loaded later: most instruments are no perpetuals. */
function Perpetual({ services, symbol }: Pick<Props, 'services'> & { readonly symbol: string }) {
  const list = useRef<HTMLDListElement>(null);
  useAbortEffect(
    (signal) => {
      import('../chart/lazy-parts.ts').then(
        ({ showPerpetual }) => signal.aborted || showPerpetual(list.current!, services, symbol, signal),
        (error: unknown) => services.notifier.reportError(error, 'Perpetual'),
      );
    },
    [symbol],
  );
  return <dl class="prices perpetual" ref={list} />;
}

/** A market that ticks is open. For a silent one, the service is asked once a minute whether it is closed. */
function useMarketState({ client, quotes, streams }: Props['services'], symbol: string, ageMs: number | null) {
  const ticks = ageMs !== null && ageMs < SILENT_AFTER_MS;
  const silent = streams.pricesLive && !ticks;
  const closed = useSignal<boolean | null>(null);
  useAbortEffect(
    (signal) => {
      closed.value = null;
      if (!silent) return;
      const polling = poll(async () => {
        const from = new Date(quotes.serviceNow - HOURS_LOOK_BACK_MS).toISOString();
        try {
          const { absent, to } = await client.coverage(symbol, { timeframe: '1m', from }, { signal });
          const last = absent.at(-1);
          if (!signal.aborted) closed.value = last?.to === to && last.reason === 'market_closed';
        } catch {
          // The age is shown beside it, and the next request follows in a minute.
        }
        return HOURS_EVERY_MS;
      });
      signal.addEventListener('abort', () => polling.stop());
    },
    [symbol, silent],
  );
  if (!silent) return ticks && streams.pricesLive ? 'open' : 'unknown';
  return closed.value === null ? 'unknown' : closed.value ? 'closed' : 'silent';
}

function Prices({ quotes, instrument }: Pick<Props['services'], 'quotes'> & Pick<Props, 'instrument'>) {
  const list = useRef<HTMLDListElement>(null);
  useLayoutEffect(() => {
    const { symbol, pip_size } = instrument;
    const [bid, ask, spread, change, high, low] = list.current!.querySelectorAll('dd');
    const end = new AbortController();
    let last: Row | undefined;
    const show = (): void => {
      const row = quotes.row(symbol)!;
      writePrice(bid!, row.bid, last?.bid ?? null, row.digits, pip_size);
      writePrice(ask!, row.ask, last?.ask ?? null, row.digits, pip_size);
      write(spread!, row.spread === null ? NO_VALUE : `${pips(row.spread, pip_size)} ${moveUnit(instrument)}`);
      writeSigned(change!, percent(dayChange(row)));
      write(high!, price(row.day?.high ?? null, row.digits));
      write(low!, price(row.day?.low ?? null, row.digits));
      last = row;
    };
    show();
    quotes.onChange((changed) => changed.has(symbol) && show(), end.signal);
    preferences.onChange(end.signal, show);
    return () => end.abort();
  }, [instrument]);
  return (
    <dl class="prices" ref={list}>
      {FIGURES.map(([title, kind]) => (
        <div key={title} class={kind}>
          <dt>{title}</dt>
          <dd />
        </div>
      ))}
    </dl>
  );
}

/** Coloured by the last move, with an arrow for those who cannot see colours. The digits that move most are larger. */
function writePrice(target: HTMLElement, value: number | null, before: number | null, digits: number, pipSize: number) {
  if (before === null) target.dataset.sign = 'none';
  if (value === null) {
    write(target, NO_VALUE);
    return;
  }
  if (before !== null && value !== before) target.dataset.sign = value > before ? 'up' : 'down';
  const [head, moving, tail] = pipParts(value, digits, pipSize);
  if (target.textContent === head + moving + tail) return;
  if (moving === '') target.replaceChildren(head);
  else target.replaceChildren(head, make('b', {}, moving), make('small', {}, tail));
}
