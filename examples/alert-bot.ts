// An alert bot. It creates an alert on a price, receives its webhooks, verifies their signatures, and answers each
// firing with the current quote. Ctrl-C deletes the alert.
//
// The service sends webhooks to private addresses only if it was started with TICKWIRE_DELIVERY_ALLOW_PRIVATE=true.
//
//   TICKWIRE_API_KEY=tw_… bun examples/alert-bot.ts EURUSD 1.2        # a key with the scope `alerts`; without a level: the current price
//
// PORT is where the bot listens (9000). WEBHOOK_URL is its address as the service sees it, if that is another one.
import { TickwireClient } from '@tickwire/client';
import { verifyWebhook } from '@tickwire/client/webhooks';

const client = new TickwireClient(); // TICKWIRE_URL and TICKWIRE_API_KEY
const [symbol = 'EURUSD', level = String((await client.quote(symbol)).bid)] = process.argv.slice(2);

/** A message may arrive more than once, always with the same id. A bot that runs for years would forget old ones. */
const seen = new Set<string>();

const receiver = Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT ?? 9000),
  async fetch(request) {
    const body = await request.text();
    const { secret } = await destination;
    const message = await verifyWebhook(body, request.headers, secret!).catch((error: Error) => error);
    if (message instanceof Error) {
      console.log(`refused: ${message.message}`);
      return new Response(null, { status: 400 });
    }
    const id = request.headers.get('webhook-id')!;
    if (!seen.has(id)) {
      seen.add(id);
      const { bid, ask } = await client.quote(symbol);
      console.log(`${message.type} ${id}: ${message.data.title}. Now ${bid} / ${ask}`);
    }
    return new Response(null, { status: 204 });
  },
});

const creation = client.createAlert({
  symbol,
  condition: { type: 'price', cross: 'either', level: Number(level), side: 'bid' },
  repeat: 'every_time',
  cooldown_seconds: 10,
  deliver: [{ channel: 'webhook', url: process.env.WEBHOOK_URL ?? receiver.url.href }],
});
// The secret is only in this response. A webhook that arrives earlier waits for it.
const destination = creation.then(({ created_destinations }) => created_destinations[0]!);

const alert = await creation;
console.log(`alert ${alert.id}: ${symbol} crosses ${level}, webhooks to ${receiver.url}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await client.deleteAlert(alert.id);
    await client.deleteDestination((await destination).id);
    process.exit(0);
  });
