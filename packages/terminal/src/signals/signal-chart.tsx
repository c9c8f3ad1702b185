// The chart of one signal: loads the bars around it, and follows the market while the signal is active.
import { useSignal } from '@preact/signals';
import type { OhlcvBar, SignalDetail } from '@tickwire/client';
import { useRef } from 'preact/hooks';
import { historyEveryMs } from '../services/request-pacing.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { CanvasSurface } from '../ui/canvas-surface.ts';
import { explain } from '../ui/failure.ts';
import { useAbortEffect } from '../ui/hooks.ts';
import { poll } from '../ui/poll.ts';
import { preferences } from '../ui/preferences.ts';
import { currentPalette, onThemeChange } from '../ui/theme.ts';
import { chartWindow } from './chart-window.ts';
import { digitsOf, wordOf } from './labels.ts';
import { exitSide, marketOf } from './levels.ts';
import { paintSignalChart } from './paint-signal-chart.ts';

interface Props extends Pick<TerminalServices, 'client' | 'quotes' | 'status' | 'notifier'> {
  readonly signal: SignalDetail;
}

const MOST_BARS = 500;

export function SignalChart({ client, quotes, status, notifier, signal }: Props) {
  const { symbol, direction, timestamp, filled_at, entry_price, targets, exits, current_stop_loss } = signal;
  const canvas = useRef<HTMLCanvasElement>(null);
  // Shown instead of the bars.
  const note = useSignal('Loading…');
  useAbortEffect(
    (end) => {
      const start = Date.parse(timestamp);
      const closed = signal.status === 'closed' ? { at: Date.parse(signal.closed_at), price: signal.exit_price } : null;
      const filled =
        filled_at === null || entry_price === null ? null : { at: Date.parse(filled_at), price: entry_price };
      const partial = exits.map(({ exited_at, price }) => ({ at: Date.parse(exited_at), price }));
      const stop = current_stop_loss === signal.stop_loss ? null : current_stop_loss;
      const prices = targets.map(({ price }) => price);
      const currentWindow = () => chartWindow(start, closed?.at ?? null, Date.now());
      let window = currentWindow();
      let bars: readonly OhlcvBar[] = [];
      const surface = new CanvasSurface(canvas.current!, end, (context, width, height) => {
        if (bars.length === 0) return;
        const market = closed ? null : marketOf(quotes, symbol);
        const last = market && exitSide(signal, market);
        const digits = digitsOf(signal, quotes);
        paintSignalChart(
          context,
          width,
          height,
          { levels: signal, targets: prices, stop, digits, bars, window, start, filled, exits: partial, closed, last },
          currentPalette(),
        );
      });
      onThemeChange(end, () => surface.redraw());
      const load = async (): Promise<void> => {
        window = currentWindow();
        const { timeframe, from, to } = window;
        try {
          ({ ohlcv: bars } = await client.market(symbol, { timeframe, from, to, bars: MOST_BARS }, { signal: end }));
          note.value = bars.length > 0 ? '' : 'No prices are stored for this time.';
        } catch (error) {
          if (end.aborted) return;
          if (bars.length === 0) note.value = explain(error).general;
          notifier.reportError(error, 'Prices');
        }
        surface.redraw();
      };
      if (closed) {
        void load();
        return;
      }
      quotes.onChange((changed) => {
        if (changed.has(symbol)) surface.redraw();
      }, end);
      const polling = poll(async () => {
        await load();
        return historyEveryMs(status.peekAllowance());
      });
      end.addEventListener('abort', () => polling.stop());
    },
    [signal.status, filled_at, exits.length, current_stop_loss, preferences.choices],
  );
  return (
    <div class="signal-picture">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Prices of ${symbol} around this ${wordOf(direction).toLowerCase()}, with its levels`}
      />
      <p class="veil" hidden={note.value === ''}>
        {note.value}
      </p>
    </div>
  );
}
