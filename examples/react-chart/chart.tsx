// A live candlestick chart: history first, then every change, without a gap in between.
import type { Interval, TickwireClient } from '@tickwire/client';
import { type CandlestickData, CandlestickSeries, createChart, type UTCTimestamp } from 'lightweight-charts';
import { useEffect, useRef, useState } from 'react';

interface ChartProps {
  /** Create it once, outside of components. */
  readonly client: TickwireClient;
  readonly symbol: string;
  /** `1m`, `5m`, `1h`, … */
  readonly timeframe: Interval;
}

export function Chart({ client, symbol, timeframe }: ChartProps) {
  const element = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState('');

  useEffect(() => {
    const chart = createChart(element.current!, { autoSize: true, timeScale: { timeVisible: true } });
    const series = chart.addSeries(CandlestickSeries);
    const unmounted = new AbortController();
    setProblem('');

    async function draw(): Promise<void> {
      const { signal } = unmounted;
      const { items } = await client.symbols({ detail: true, signal });
      const precision = items.find((each) => each.symbol === symbol)?.digits ?? 2;
      series.applyOptions({ priceFormat: { type: 'price', precision, minMove: 10 ** -precision } });

      const candles = new Map<number, CandlestickData<UTCTimestamp>>();
      let newest = 0;
      for await (const bar of client.followBars(symbol, { timeframe, limit: 500, signal })) {
        if (bar.type === 'gap') continue; // the bars that changed follow
        const { open, high, low, close } = bar;
        const candle = { time: bar.time as UTCTimestamp, open, high, low, close };
        candles.set(bar.time, candle);
        if (bar.time >= newest) series.update(candle);
        else series.setData([...candles.values()].sort((a, b) => a.time - b.time)); // an older bar was corrected
        newest = Math.max(newest, bar.time);
      }
    }
    draw().catch((error: Error) => {
      if (!unmounted.signal.aborted) setProblem(error.message);
    });

    return () => {
      unmounted.abort();
      chart.remove();
    };
  }, [client, symbol, timeframe]);

  return (
    <section aria-label={`${symbol}, ${timeframe}`}>
      <div ref={element} style={{ height: 420 }} />
      <p role="status">{problem}</p>
    </section>
  );
}
