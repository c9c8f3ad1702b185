// The terminal opened without a connection: the last prices, with their time, until the service responds again.
import type { CoreClient } from '@tickwire/client';
import { useEffect } from 'preact/hooks';
import type { LastPrice, LastPrices } from '../services/last-prices.ts';
import { Card } from '../sign-in/card.tsx';
import { Button } from '../ui/button.tsx';
import { price } from '../ui/format.ts';
import { poll } from '../ui/poll.ts';
import { timeText } from '../ui/relative-time.ts';
import { type Column, Table } from '../ui/table.tsx';

const RETRY_MS = 5_000;

export interface OfflinePageProps {
  readonly client: Pick<CoreClient, 'account'>;
  /** Why the terminal could not be opened. */
  readonly reason: string;
  /** `null` if this browser has none. */
  readonly last: LastPrices | null;
  readonly reload: () => void;
}

const COLUMNS: readonly Column<LastPrice>[] = [
  { head: 'Instrument', cell: ({ symbol, name }) => <span title={name}>{symbol}</span> },
  { head: 'Bid', cell: ({ bid, digits }) => price(bid, digits), numeric: true },
  { head: 'Ask', cell: ({ ask, digits }) => price(ask, digits), numeric: true },
];

export function OfflinePage({ client, reason, last, reload }: OfflinePageProps) {
  useEffect(() => {
    const retry = async (): Promise<number> => {
      // Everybody may ask for this, so it fails only without a connection.
      await client.account.registration().then(reload, () => undefined);
      return RETRY_MS;
    };
    const polling = poll(retry, RETRY_MS);
    const onOnline = (): void => void retry();
    addEventListener('online', onOnline);
    return () => {
      polling.stop();
      removeEventListener('online', onOnline);
    };
  }, []);
  const again = (
    <Button tone="linklike" onClick={reload}>
      Try again
    </Button>
  );
  if (last === null) return <Card title="Not connected" intro={reason} foot={again} />;
  return (
    <Card
      title={`Offline: prices as of ${timeText(last.at)}`}
      intro={`${reason} These prices are old. The page continues by itself once there is a connection.`}
      foot={again}
    >
      <Table
        caption="Last prices"
        columns={COLUMNS}
        rows={last.prices}
        keyOf={({ symbol }) => symbol}
        empty=""
        compact
      />
    </Card>
  );
}
