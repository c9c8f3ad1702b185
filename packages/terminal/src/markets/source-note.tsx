// A line below the figures of the selected instrument: why its venue does not deliver it, and what replaces it.
import { useSignal } from '@preact/signals';
import type { TerminalServices } from '../services/terminal-services.ts';
import { useAbortEffect } from '../ui/hooks.ts';
import { poll } from '../ui/poll.ts';

const EVERY_MS = 60_000;
/** While there is no price: the user waits for one. */
const EVERY_MS_WITHOUT_PRICE = 10_000;

interface Props {
  readonly services: Pick<TerminalServices, 'client' | 'quotes' | 'status'>;
  readonly symbol: string;
}

export function SourceNote({ services: { client, quotes, status }, symbol }: Props) {
  const problem = useSignal<string | null>(null);
  const simulated = status.simulated.value;
  useAbortEffect(
    (signal) => {
      problem.value = null;
      if (simulated) return;
      const polling = poll(async () => {
        try {
          const source = await client.priceSource(symbol, { signal });
          if (!signal.aborted) problem.value = source.problem;
        } catch {
          // The age of the price is shown above, and the next request follows.
        }
        return quotes.row(symbol)?.bid === null ? EVERY_MS_WITHOUT_PRICE : EVERY_MS;
      });
      signal.addEventListener('abort', () => polling.stop());
    },
    [symbol, simulated],
  );
  return problem.value && <p class="source-note">{problem.value}</p>;
}
