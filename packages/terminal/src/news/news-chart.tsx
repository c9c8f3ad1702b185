// The bars of one instrument around the publication of a headline, which is marked at its bar.
import type { NewsDetail } from '@tickwire/client';
import { useRef } from 'preact/hooks';
import { ChartBars } from '../chart/bars/chart-bars.ts';
import type { ShownTime } from '../chart/bars/time-axis.ts';
import { BarMarkLayers } from '../chart/layers/bar-mark-layers.ts';
import { SpanLayer } from '../chart/layers/span-layer.ts';
import { RangeChart } from '../chart/range-chart.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { explain } from '../ui/failure.ts';
import { useAbortEffect } from '../ui/hooks.ts';
import { poll } from '../ui/poll.ts';
import { currentPalette } from '../ui/theme.ts';

interface Props extends Pick<TerminalServices, 'client'> {
  readonly symbol: string;
  readonly item: Pick<NewsDetail, 'title' | 'sentiment' | 'timestamp'>;
  readonly range: ShownTime;
  readonly digits: number;
}

/** Wide bars are easier to see on a phone than one for each minute. */
const INTERVAL = '5m' as const;
const MOST_BARS = 100;
const RELOAD_MS = 60_000;

export function NewsChart({ client, symbol, item, range, digits }: Props) {
  const host = useRef<HTMLDivElement>(null);
  useAbortEffect(
    (end) => {
      let series: ChartBars | null = null;
      const chart = new RangeChart({
        name: `Prices of ${symbol} around the publication`,
        signal: end,
        onTheme: () => show(),
      });
      const moment = new SpanLayer(chart.prices);
      const marks = new BarMarkLayers(chart.prices);
      chart.marks = marks;
      host.current!.replaceChildren(chart.element);
      const show = (): void => {
        if (!series) return;
        chart.show(series, range, digits);
        marks.showNews(series, [item]);
        moment.show([{ at: chart.indexOf(Date.parse(item.timestamp)), color: currentPalette().accent }]);
      };
      const load = async (): Promise<void> => {
        try {
          const query = { interval: INTERVAL, ...range, limit: MOST_BARS };
          const { items } = await client.bars(symbol, query, { signal: end });
          if (end.aborted) return;
          if (!series?.mergeTail(items)) series = items.length === 0 ? null : new ChartBars(INTERVAL, items);
          if (series) show();
          else chart.say(`No prices of ${symbol} are stored for this time.`);
        } catch (error) {
          if (!end.aborted && !series) chart.say(explain(error).general);
        }
      };
      const polling = poll(async () => {
        await load();
        if (Date.now() > range.to + RELOAD_MS) polling.stop();
        return RELOAD_MS;
      });
      end.addEventListener('abort', () => polling.stop());
    },
    [symbol, range.from, range.to],
  );
  return (
    <>
      <div class="news-chart" ref={host} />
      <p class="hint">{`${symbol}, bars of 5 minutes. Dashed line: the headline.`}</p>
    </>
  );
}
