// Presses of buttons in Discord: only those of the person who linked the chat count. Refusals are shown to the presser alone.
import type { ChatChannelRow } from '../../store/chat-store.ts';
import { ChatPresses, type ChatPressesOptions } from '../chat-presses.ts';
import type { DiscordApi } from './discord-api.ts';
import type { DiscordEvent } from './discord-events.ts';
import { contentBody } from './discord-messages.ts';

const MESSAGE = 4;
const DEFERRED_UPDATE = 6;
const EPHEMERAL = 1 << 6;

type Press = Extract<DiscordEvent, { kind: 'press' }>;

export interface DiscordPressesOptions extends ChatPressesOptions {
  readonly api: DiscordApi;
}

export class DiscordPresses {
  readonly #api: DiscordApi;
  readonly #presses: ChatPresses;

  constructor(options: DiscordPressesOptions) {
    this.#api = options.api;
    this.#presses = new ChatPresses(options);
  }

  /** Never throws. */
  take(channel: ChatChannelRow, { id, token, under, from, data, chat, server }: Press): Promise<void> {
    const respond = (body: object) => this.#api.call('POST', `/interactions/${id}/${token}/callback`, body);
    return this.#presses.take(channel, {
      ...{ from, isPublic: server !== null, data },
      refusal: async () => (from === channel.author ? null : 'Only the person who linked this channel can do this.'),
      show: (content) => respond({ type: MESSAGE, data: { content, flags: EPHEMERAL } }),
      // Discord refuses a response after three seconds.
      accept: async () => (await respond({ type: DEFERRED_UPDATE })).ok,
      edit: ({ message }, text, withButtons) =>
        this.#api.call('PATCH', `/channels/${chat}/messages/${under}`, contentBody(text, withButtons ? message : null)),
    });
  }
}
