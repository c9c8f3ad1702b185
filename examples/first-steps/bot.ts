// Publishes a signal in the direction of each move of the price, and goes on after a restart of the service. Ctrl-C ends it.
import { TickwireClient, TickwireError } from '@tickwire/client';

const SYMBOL = 'EURUSD';
const client = new TickwireClient();
const round = (price: number) => Number(price.toFixed(5));

async function publish(): Promise<void> {
  const { open = 0 } = (await client.bars(SYMBOL, { interval: '1m', limit: 1 })).items[0] ?? {};
  const { bid, ask } = await client.quote(SYMBOL);
  const [direction, entry, sign] = bid > open ? (['buy', ask, 1] as const) : (['sell', bid, -1] as const);
  const levels = { stop_loss: round(entry * (1 - sign * 0.002)), take_profit: round(entry * (1 + sign * 0.003)) };
  const { id } = await client.publishSignal({ symbol: SYMBOL, direction, entry, ...levels });
  console.log(`published ${id}: ${direction} at ${entry}`);
}

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
let alert: string | undefined;
for await (const event of client.live.alerts({ symbols: [SYMBOL], signal: stop.signal }).events()) {
  if (event.type === 'state') {
    console.log(event.state);
    // Created once the stream is live, so that no firing is missed. The service keeps it over a restart.
    if (event.state !== 'live' || alert) continue;
    const condition = { type: 'move', direction: 'either', percent: 0.001, minutes: 1 } as const;
    ({ id: alert } = await client.createAlert({
      symbol: SYMBOL,
      condition,
      repeat: 'every_time',
      cooldown_seconds: 5,
    }));
  } else if (event.type === 'gap') {
    console.log('firings may be missing:', event.reason);
  } else if (event.message.alert_id === alert) {
    // A service that just stops, or a limit of the tier, must not end the bot.
    await publish().catch((error) => {
      if (!(error instanceof TickwireError)) throw error;
      console.log('not published:', error.code, error.detail);
    });
  }
}
if (alert) await client.deleteAlert(alert);
