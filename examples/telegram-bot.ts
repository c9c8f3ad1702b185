// A Telegram bot of your own. It answers /price EURUSD with the quote, and sends every new signal to chats that wrote
// /follow.
//
//   TELEGRAM_BOT_TOKEN=123456:ABC… TICKWIRE_API_KEY=tw_… bun telegram-bot.ts
import { TickwireClient, TickwireError } from '@tickwire/client';

const client = new TickwireClient(); // TICKWIRE_URL and TICKWIRE_API_KEY
const api = `${process.env.TELEGRAM_API_URL ?? 'https://api.telegram.org'}/bot${process.env.TELEGRAM_BOT_TOKEN}`;
const followers = new Set<number>(); // in memory: keep them in a file if they must survive a restart

interface Update {
  readonly update_id: number;
  readonly message?: { readonly chat: { readonly id: number }; readonly text?: string };
}

async function call<T>(method: string, body: object): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${api}/${method}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const { ok, result, description } = (await response.json()) as { ok: boolean; result: T; description?: string };
  if (!ok) throw new Error(`${method}: ${description}`);
  return result;
}

/** A chat that has blocked the bot must not stop the others. */
const send = (chat: number, text: string): Promise<unknown> =>
  call('sendMessage', { chat_id: chat, text }).catch((error: Error) => console.error(error.message));

async function answerTo(text: string, chat: number): Promise<string> {
  const [command, symbol = ''] = text.split(/\s+/);
  if (command === '/follow') {
    followers.add(chat);
    return 'You get every new signal. /stop ends this.';
  }
  if (command === '/stop') return followers.delete(chat) ? 'Stopped.' : 'You follow nothing.';
  if (command !== '/price' || !symbol) return '/price EURUSD, /follow, /stop';
  try {
    const quote = await client.quote(symbol);
    return `${quote.symbol} ${quote.bid} / ${quote.ask}`;
  } catch (error) {
    if (error instanceof TickwireError) return error.message;
    throw error;
  }
}

async function announceSignals(): Promise<void> {
  for await (const signal of client.live.signals()) {
    if ('change' in signal) continue; // only with the option `changes`
    const { user, direction, symbol, entry, stop_loss, take_profit } = signal;
    const text = `${user}: ${direction} ${symbol} at ${entry}, stop ${stop_loss}, target ${take_profit}`;
    await Promise.all([...followers].map((chat) => send(chat, text)));
  }
}

async function answerMessages(): Promise<void> {
  for (let offset = 0; ; ) {
    const updates = await call<Update[]>('getUpdates', { offset, timeout: 30, allowed_updates: ['message'] });
    for (const { update_id, message } of updates) {
      offset = update_id + 1;
      if (message?.text) await send(message.chat.id, await answerTo(message.text, message.chat.id));
    }
  }
}

console.log('the bot is running');
await Promise.all([announceSignals(), answerMessages()]);
