// One valid example of each endpoint for chat channels.
import type { z } from 'zod';
import type { EndpointExamples } from '../common/endpoint.ts';
import type { CHAT_CHANNEL_ENDPOINTS } from './endpoints.ts';
import type { ChatChannel } from './schemas.ts';

const channel: z.output<typeof ChatChannel> = {
  id: 'chn_2a1b5d7e8f603f9c',
  platform: 'telegram',
  mode: 'review',
  keep_text: false,
  title: 'Gold signals',
  created_at: '2026-03-02T09:30:00.000Z',
  linked_at: '2026-03-02T09:31:12.045Z',
  problem: null,
};

export const CHAT_CHANNEL_EXAMPLES: EndpointExamples<typeof CHAT_CHANNEL_ENDPOINTS> = {
  chatChannels: { request: '/api/chat-channels', response: { items: [channel], count: 1 } },
  createChatChannel: {
    request: '/api/chat-channels',
    body: { platform: 'telegram', mode: 'review' },
    response: {
      ...channel,
      title: null,
      linked_at: null,
      link: { code: 'q3v8XkP1wYbT6nEz', url: null },
    },
  },
  changeChatChannel: {
    request: `/api/chat-channels/${channel.id}`,
    body: { mode: 'automatic' },
    response: { ...channel, mode: 'automatic' },
  },
  deleteChatChannel: { request: `/api/chat-channels/${channel.id}`, response: channel },
  chatMessages: {
    request: `/api/chat-channels/${channel.id}/messages?limit=1`,
    response: {
      items: [
        {
          received_at: '2026-03-02T10:14:07.312Z',
          sent_at: '2026-03-02T10:14:07.000Z',
          outcome: 'refused',
          detail: 'There is no stop loss.',
          signal_id: null,
          text: null,
        },
      ],
      count: 1,
    },
  },
  signalEdits: {
    request: '/api/signals/sig_9f2c1a7be04d5e63/edits',
    response: {
      items: [
        {
          edited_at: '2026-03-02T11:02:41.870Z',
          platform: 'telegram',
          old_sha256: '1'.repeat(64),
          new_sha256: '2'.repeat(64),
          text: null,
        },
      ],
      count: 1,
    },
  },
};
