// Handlers of the chats from which the caller's account publishes.
import {
  type ChatChannel,
  ChatChannelChange,
  ChatChannelRequest,
  type ChatMessage,
  type ChatMessagesQuery,
  iso,
  isoOrNull,
  type SignalEdit,
} from '@tickwire/contract';
import { actorOf } from '../access/caller.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { EndpointHandler } from '../http/handler.ts';
import type { IdempotentSecrets, SecretResponse } from '../http/idempotent-secrets.ts';
import { readJson } from '../http/json-body.ts';
import type { ChatChannelRow, ChatMessageRow, ChatStore, SignalEditRow } from '../store/chat-store.ts';
import type { ChatPublishing } from './open-chat-channels.ts';

export interface ChatChannelHandlersOptions {
  readonly chats: ChatPublishing;
  readonly store: ChatStore;
  readonly secrets: IdempotentSecrets;
}

type Names = 'chatChannels' | 'createChatChannel' | 'changeChatChannel' | 'deleteChatChannel' | 'chatMessages';

export function chatChannelHandlers({ chats, store, secrets }: ChatChannelHandlersOptions): {
  readonly [K in Names]: EndpointHandler;
} {
  const { channels, platforms } = chats;
  return {
    chatChannels: ({ caller }) => listJson(channels.of(caller!.account.publicId).map(channelJson)),
    async createChatChannel({ request, caller }) {
      const { value } = await readJson(request, ChatChannelRequest);
      const work = async (): Promise<SecretResponse> => {
        const { platform } = value;
        const bot = platforms.get(platform);
        if (!bot) {
          const name = platform === 'telegram' ? 'Telegram' : 'Discord';
          const detail = `${name} is not configured: the operator sets ${platform}_bot_token.`;
          throw new ServiceError('channel_not_configured', detail);
        }
        const { row, code } = await withStoreErrors(() => channels.create(caller!.account, value, actorOf(caller!)));
        const created = channelJson(row);
        const link = { code, url: bot.linkFor(code) };
        return { full: { ...created, link }, stored: { ...created, link: null } };
      };
      return secrets.once(request, caller!.account.id, JSON.stringify(['createChatChannel', value]), work);
    },
    async changeChatChannel({ params, request, caller }) {
      const { value } = await readJson(request, ChatChannelChange);
      const { publicId } = caller!.account;
      return JSON.stringify(channelJson(await withStoreErrors(() => channels.change(publicId, params.id!, value))));
    },
    async deleteChatChannel({ params, caller }) {
      const { publicId } = caller!.account;
      const removed = await withStoreErrors(() => channels.remove(publicId, params.id!, actorOf(caller!)));
      return JSON.stringify(channelJson(removed));
    },
    async chatMessages({ params, query, caller }) {
      const { id } = channels.own(caller!.account.publicId, params.id!);
      const rows = await withStoreErrors(() => store.messages(id, (query as ChatMessagesQuery).limit));
      return listJson(rows.map(messageJson));
    },
  };
}

export const listJson = (items: readonly object[]): string => JSON.stringify({ items, count: items.length });

const channelJson = ({
  id,
  platform,
  mode,
  keepText,
  title,
  createdAt,
  linkedAt,
  problem,
}: ChatChannelRow): ChatChannel => ({
  ...{ id, platform, mode, keep_text: keepText === 1, title },
  ...{ created_at: iso(createdAt), linked_at: isoOrNull(linkedAt), problem },
});

const messageJson = ({ receivedAt, sentAt, outcome, detail, signal, text }: ChatMessageRow): ChatMessage => ({
  ...{ received_at: iso(receivedAt), sent_at: iso(sentAt), outcome, detail, signal_id: signal, text },
});

export const editJson = ({ at, platform, oldHash, newHash, text }: SignalEditRow): SignalEdit => ({
  ...{ edited_at: iso(at), platform, old_sha256: oldHash, new_sha256: newHash || null, text },
});
