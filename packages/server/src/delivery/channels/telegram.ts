// Telegram chats, over the Bot API.
import type { Channel, SendResult, TelegramChat } from '../channel.ts';
import type { TelegramAnswer, TelegramApi } from '../telegram-api.ts';
import { telegramText } from '../templates/telegram-text.ts';
import { DELIVERED, gone, rejected, retry } from './send-results.ts';
import { PER_GROUP_MINUTE, PER_SECOND, TelegramPace } from './telegram-pace.ts';

export function telegramChannel(api: TelegramApi, now: () => number = Date.now): Channel {
  const pace = new TelegramPace();
  const post = (chat: number, text: string, signal: AbortSignal): Promise<TelegramAnswer> => {
    const message = { chat_id: chat, text, parse_mode: 'HTML', link_preview_options: { is_disabled: true } };
    return api.call('sendMessage', message, { signal });
  };
  return {
    name: 'telegram',
    perMinute: PER_GROUP_MINUTE,
    // Each waits for its second at most.
    atOnce: PER_SECOND,
    async send(address, message, signal) {
      const chat = address as TelegramChat;
      if (chat.kind === 'group') {
        const waitMs = pace.groupWait(chat.id, now());
        if (waitMs > 0) return { result: 'wait', ms: waitMs };
      }
      await sleep(pace.nextSlot(now()), signal);
      if (signal.aborted) return retry('stopped');
      const text = telegramText(message);
      const answer = await post(chat.id, text, signal);
      if (answer.ok || answer.movedTo === null) return resultOf(answer);
      const moved: TelegramChat = { ...chat, id: answer.movedTo };
      const second = resultOf(await post(moved.id, text, signal));
      return second.result === 'rejected' ? second : { ...second, movedTo: moved };
    },
  };
}

function resultOf(answer: TelegramAnswer): SendResult {
  if (answer.ok) return DELIVERED;
  const { code, reason, retryAfterMs } = answer;
  if (code === 403) return gone(reason);
  if (code === 400) return /chat not found|deactivated|kicked|upgraded/i.test(reason) ? gone(reason) : rejected(reason);
  // 401 and 404: the token of the bot is wrong, which only the operator can change.
  return retry(code === 401 || code === 404 ? 'Telegram does not accept the token of the bot' : reason, retryAfterMs);
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
