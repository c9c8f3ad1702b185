// The payload of a push message: JSON that the service worker of the terminal shows as a notification.
import { iso } from '@tickwire/contract';
import type { OutgoingMessage } from '../channel.ts';
import { clipped, messageText } from './message-text.ts';

/** Push services accept 4,096 bytes, encrypted; a character of the text has up to 6 bytes in JSON. */
const MAX_BODY = 400;
const MAX_TITLE = 120;

export interface PushPayload {
  /** Id of the message: a notification with the same tag replaces the one before. */
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly body: string;
  readonly symbol: string | null;
  readonly alert_id: string | null;
  /** Time of the event, ISO 8601. */
  readonly timestamp: string;
  /** Only in the message that verifies the browser. */
  readonly code?: string;
}

export function pushPayload(message: OutgoingMessage): PushPayload {
  const { title, facts, note } = messageText(message);
  const { id, type, body, createdAt } = message;
  const event = 'message' in body ? body.message : null;
  const lines = [...(note === null ? [] : [note]), ...facts.map(([label, value]) => `${label}: ${value}`)];
  return {
    id,
    type,
    title: clipped(title, MAX_TITLE),
    body: clipped(lines.join('\n'), MAX_BODY),
    symbol: event?.data.symbol ?? null,
    alert_id: event?.data.alert_id ?? null,
    timestamp: event?.timestamp ?? iso(createdAt),
    ...('code' in body && { code: body.code }),
  };
}
