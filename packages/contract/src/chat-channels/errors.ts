// Errors about chats from which accounts publish.
import { entry } from '../common/errors.ts';

export const CHAT_CHANNEL_ERRORS = {
  chat_channel_not_found: entry(
    { status: 404 },
    'Chat channel not found',
    'The account has no chat channel with this id.',
  ),
  too_many_chat_channels: entry(
    { status: 409 },
    'Too many chat channels',
    'The account has as many chat channels as it may have. Remove one first.',
  ),
};
