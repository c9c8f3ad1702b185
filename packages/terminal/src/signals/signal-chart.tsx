// The chart of one signal: loads the bars around it, and follows the market while the signal is active.
import { useSignal } from '@preact/signals';
import type { SignalDetail } from '@tickwire/client';
import { useRef } from 'preact/hooks';
import { intervalText } from '../chart/bars/intervals.ts';
import { RangeChart } from '../chart/range-chart.ts';
import { historyEveryMs } from '../services/request-pacing.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { explain } from '../ui/failure.ts';
import { coalesced } from '../ui/frame-scheduler.ts';
import { useAbortEffect } from '../ui/hooks.ts';
import { poll } from '../ui/poll.ts';
import { isStored } from './chart-window.ts';
import { digitsOf, wordOf } from './labels.ts';
import { exitSide, marketOf } from './levels.ts';
import { type LoadedRange, SignalBars } from './signal-bars.ts';
import { MARKS, SignalDrawing } from './signal-drawing.ts';
import { momentsOf } from './signal-moments.ts';

interface Props extends Pick<TerminalServices, 'client' | 'quotes' | 'status' | 'notifier'> {
  readonly signal: SignalDetail;
}

export function SignalChart({ client, quotes, status, notifier, signal }: Props) {
  const { symbol, direction, timestamp, filled_at, exits, current_stop_loss } = signal;
  const host = useRef<HTMLDivElement>(null);
  const interval = useSignal<string | null>(null);
  useAbortEffect(
    (end) => {
      const closedAt = signal.status === 'closed' ? Date.parse(signal.closed_at) : null;
      const times = {
        published: Date.parse(timestamp),
        filled: filled_at === null ? null : Date.parse(filled_at),
        closed: closedAt,
      };
      const bars = new SignalBars(client, symbol, times);
      const digits = (): number => digitsOf(signal, quotes);
      let loaded: LoadedRange | null = null;
      const chart = new RangeChart({
        name: `Prices of ${symbol} around this ${wordOf(direction).toLowerCase()}, with its levels`,
        signal: end,
        figures: (_, at) => drawing.figures(at),
        onTheme: () => show(),
      });
      const drawing = new SignalDrawing(chart, signal, digits);
      host.current!.replaceChildren(chart.element);
      const showLevels = coalesced(() => {
        const market = closedAt === null ? marketOf(quotes, symbol) : null;
        if (!end.aborted) drawing.showLevels(market && exitSide(signal, market));
      });
      const show = (): void => {
        if (!loaded) return;
        const { series, window } = loaded;
        chart.show(series, window, digits());
        drawing.showMoments(series);
        showLevels();
      };
      const load = async (): Promise<void> => {
        try {
          const found = await bars.load(Date.now(), end);
          if (end.aborted) return;
          if (found.series.candles.length === 0) {
            if (!loaded) chart.say('No prices are stored for this time.');
            return;
          }
          loaded = found;
          interval.value = found.window.interval;
          show();
        } catch (error) {
          if (end.aborted) return;
          if (!loaded) chart.say(explain(error).general);
          notifier.reportError(error, 'Prices');
        }
      };
      if (closedAt !== null) {
        void load();
        return;
      }
      quotes.onChange((changed) => {
        if (changed.has(symbol) && loaded) showLevels();
      }, end);
      const polling = poll(async () => {
        await load();
        return historyEveryMs(status.peekAllowance());
      });
      end.addEventListener('abort', () => polling.stop());
    },
    [signal.status, filled_at, exits.length, current_stop_loss],
  );
  return (
    <>
      <div class="signal-picture" ref={host} />
      <p class="hint">
        {interval.value !== null && barsText(interval.value)} <ChartKey signal={signal} />
      </p>
    </>
  );
}

const barsText = (interval: string): string =>
  `Bars of ${intervalText(interval)}${isStored(interval) ? '.' : ' show the bid.'}`;

const KEY = { published: 'published', filled: 'filled', exit: 'partial exit', closed: 'closed' } as const;

/** What the marks mean. */
function ChartKey({ signal }: { readonly signal: SignalDetail }) {
  const kinds = [...new Set(momentsOf(signal).map(({ kind }) => kind))];
  return (
    <span class="chart-key">
      {kinds.map((kind) => (
        <span key={kind}>
          <span aria-hidden="true" style={{ color: `var(--${MARKS[kind].color})` }}>
            {kind === 'published' && signal.direction === 'sell' ? '▼' : MARKS[kind].key}
          </span>
          {` ${KEY[kind]}`}
        </span>
      ))}
      <span>Shaded: risk and reward.</span>
    </span>
  );
}
