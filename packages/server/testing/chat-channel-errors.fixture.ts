// Provokes each error of chat channels as a user would, for the test of the whole error catalogue.
import { FAKE_BOT_TOKEN, FakeTelegram } from './delivery/fake-telegram.fixture.ts';
import { startService } from './service.fixture.ts';

export type ChatChannelErrorCode = 'chat_channel_not_found' | 'too_many_chat_channels';

type Provoke = () => Promise<{ readonly response: Response }>;

/** Each starts a service with a bot of its own. */
export function chatChannelErrors(): Readonly<Record<ChatChannelErrorCode, Provoke>> {
  const provoke =
    (work: (call: (method: string, path: string, body?: object) => Promise<Response>) => Promise<Response>): Provoke =>
    async () => {
      await using telegram = await FakeTelegram.open();
      const service = await startService({
        feeds: 'push',
        telegram_api_url: telegram.url,
        telegram_bot_token: FAKE_BOT_TOKEN,
      });
      try {
        const { key } = await service.key('premium', ['publish']);
        const response = await work((method, path, body) =>
          fetch(service.url + path, {
            method,
            headers: { 'X-API-Key': key },
            ...(body && { body: JSON.stringify(body) }),
          }),
        );
        const { status, headers } = response;
        return { response: new Response(await response.text(), { status, headers }) };
      } finally {
        await service.stop();
      }
    };
  return {
    chat_channel_not_found: provoke((call) => call('DELETE', '/api/chat-channels/chn_none')),
    too_many_chat_channels: provoke(async (call) => {
      for (;;) {
        const response = await call('POST', '/api/chat-channels', { platform: 'telegram' });
        if (!response.ok) return response;
      }
    }),
  };
}
