// Updates of linked Telegram chats: channels in which the bot is an administrator, and private chats with it. In a channel only
// administrators post; whoever presses a button there must be one.
import type { TelegramBot } from '../delivery/telegram-bot.ts';
import type { TelegramLinker } from '../delivery/telegram-link.ts';
import type { ChatMessage, ChatUpdate } from '../delivery/telegram-updates.ts';
import type { ChatChannelRow } from '../store/chat-store.ts';
import type { ChatChannels } from './chat-channels.ts';
import type { IncomingMessage } from './chat-decision.ts';
import type { ChatPublisher } from './chat-publisher.ts';
import { linkedText, UNLINKED } from './chat-texts.ts';
import type { TelegramPresses } from './telegram-presses.ts';

const UNLINK = /^\/unlink(?:@\w+)?$/;

export interface TelegramPublishingOptions {
  readonly bot: Pick<TelegramBot, 'say'>;
  readonly channels: ChatChannels;
  readonly publisher: ChatPublisher;
  readonly presses: TelegramPresses;
}

export class TelegramPublishing {
  readonly #options: TelegramPublishingOptions;

  constructor(options: TelegramPublishingOptions) {
    this.#options = options;
  }

  /** Takes what concerns a linked chat. */
  readonly take = async (update: ChatUpdate): Promise<boolean> => {
    if (update.kind === 'other' || update.kind === 'moved') return false;
    const { channels, publisher, presses } = this.#options;
    const chat = update.kind === 'left' ? update.chat : update.chat.id;
    const channel = channels.linked('telegram', String(chat));
    if (!channel) return false;
    switch (update.kind) {
      case 'left':
        await channels.setProblem(channel.id, 'The bot was removed from the chat, or blocked.');
        return true;
      case 'button':
        await presses.take(channel, update);
        return true;
      case 'edit':
        await publisher.edit(channel, incoming(update.message));
        return true;
      case 'text':
        if (update.code !== null) return false;
        if (UNLINK.test(update.message.text.trim())) await this.#unlink(channel, chat);
        else await publisher.receive(channel, incoming(update.message));
        return true;
    }
  };

  /** Links a chat from which an account publishes. */
  readonly link: TelegramLinker = async (code, chat, { message }) => {
    // A group has members who are no administrators, and write.
    const { channels } = this.#options;
    if (chat.kind === 'group' && !message.inChannel)
      return channels.awaits('telegram', code)
        ? 'A group cannot publish. Link a channel, or send the code to the bot in a private chat.'
        : null;
    const linking = await channels.link(code, {
      platform: 'telegram',
      id: String(chat.id),
      title: chat.title,
      author: null,
    });
    if (linking.kind === 'unknown') return null;
    if (linking.kind === 'taken') return 'This chat is linked already. Send /unlink first.';
    return linkedText(linking.channel.mode);
  };

  async #unlink({ account, id, platform }: ChatChannelRow, chat: number): Promise<void> {
    await this.#options.channels.remove(account, id, platform);
    await this.#options.bot.say(chat, UNLINKED);
  }
}

const incoming = ({ id, sentAt, text, inChannel, repliesTo }: ChatMessage): IncomingMessage => ({
  ...{ id: String(id), sentAt, text, isPublic: inChannel },
  repliesTo: repliesTo && { id: String(repliesTo.id), text: repliesTo.text },
});
