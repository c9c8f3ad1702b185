// Endpoints for chats from which an account publishes. They concern the caller's own account, except the edits of a signal.
import { endpoint, READ } from '../common/endpoint.ts';
import {
  ChatChannel,
  ChatChannelChange,
  ChatChannelList,
  ChatChannelRequest,
  ChatMessageList,
  ChatMessagesQuery,
  CreatedChatChannel,
  SignalEditList,
} from './schemas.ts';

const common = { tag: 'Signals', auth: 'key', scope: 'publish' } as const;
const ofChannel = ['chat_channel_not_found'] as const;

export const CHAT_CHANNEL_ENDPOINTS = {
  chatChannels: endpoint({
    ...common,
    method: 'GET',
    path: '/api/chat-channels',
    summary: 'List chat channels',
    description: 'Returns the chats from which the account publishes.',
    response: ChatChannelList,
  }),
  createChatChannel: endpoint({
    ...common,
    method: 'POST',
    path: '/api/chat-channels',
    summary: 'Create a chat channel',
    description: 'Returns a code that links a channel, or a chat with the bot.',
    body: ChatChannelRequest,
    idempotent: true,
    status: 201,
    response: CreatedChatChannel,
    errors: ['too_many_chat_channels', 'channel_not_configured'],
  }),
  changeChatChannel: endpoint({
    ...common,
    method: 'PATCH',
    path: '/api/chat-channels/{id}',
    summary: 'Change a chat channel',
    description: 'Changes the given fields, for messages from now on.',
    body: ChatChannelChange,
    response: ChatChannel,
    errors: ofChannel,
  }),
  deleteChatChannel: endpoint({
    ...common,
    method: 'DELETE',
    path: '/api/chat-channels/{id}',
    summary: 'Remove a chat channel',
    description: 'Published signals and edits of their messages stay.',
    response: ChatChannel,
    errors: ofChannel,
  }),
  chatMessages: endpoint({
    ...common,
    method: 'GET',
    path: '/api/chat-channels/{id}/messages',
    summary: 'List messages of a chat channel',
    description: 'Returns messages of the last 30 days with their outcome.',
    query: ChatMessagesQuery,
    response: ChatMessageList,
    errors: ofChannel,
  }),
  signalEdits: endpoint({
    ...READ,
    tag: 'Signals',
    path: '/api/signals/{id}/edits',
    summary: 'List edits of the message of a signal',
    description: 'Returns later edits, and the deletion, of the message that published it. They change no signal.',
    response: SignalEditList,
    errors: ['signal_not_found'],
  }),
} as const;
