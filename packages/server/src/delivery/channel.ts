// What a channel is: it brings one message to one destination. The worker leases messages, calls `send` and stores the
// outcome; a channel keeps nothing that a restart would lose.
import type { OutsideChannel, PushSubscription, WebhookMessage } from '@tickwire/contract';

/** How times and numbers are written. */
export interface MessageLocale {
  /** IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string;
  /** BCP 47 tag, such as `de`. */
  readonly numberFormat: string;
}

export const DEFAULT_LOCALE: MessageLocale = { timeZone: 'UTC', numberFormat: 'en' };

/** A message about an event. */
export interface EventBody {
  /** The body of a webhook, from which the other channels fill their templates. */
  readonly message: WebhookMessage;
  readonly locale: MessageLocale;
  /** Decimals of the instrument's prices; without it, prices are written as they are. */
  readonly digits?: number;
  /** Address that ends the messages to this destination: in every mail. */
  readonly unsubscribe?: string;
}

/** A message with the code that verifies a destination. */
export interface CodeBody {
  readonly code: string;
  readonly locale: MessageLocale;
  /** Address that ends the messages to this destination: in every mail. */
  readonly unsubscribe?: string;
}

/** What a message says: `StoredMessage.body`, parsed. */
export type MessageBody = EventBody | CodeBody;

export interface OutgoingMessage {
  /** The same in every attempt. */
  readonly id: string;
  readonly type: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly body: MessageBody;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
}

/** The opened JSON of `DestinationRow.sealed`, by channel. */
export interface DestinationAddresses {
  /** The secret is `whsec_…`. */
  readonly webhook: { readonly url: string; readonly secret: string };
  readonly telegram: TelegramChat;
  readonly discord: { readonly url: string };
  readonly slack: { readonly url: string };
  readonly email: { readonly address: string };
  readonly push: PushSubscription;
}

export interface TelegramChat {
  readonly id: number;
  /** Title of a group, name of a person. */
  readonly title: string;
  readonly kind: 'private' | 'group';
}

export type SendResult =
  | {
      readonly result: 'delivered';
      /** The address that the destination has now: seal it into the destination. */
      readonly movedTo?: unknown;
    }
  | {
      readonly result: 'retry';
      readonly reason: string;
      /** The destination asked to wait this long. */
      readonly afterMs?: number;
      /** The host answered, and can serve other destinations: the failure is not its own. */
      readonly reached?: true;
      /** As above. */
      readonly movedTo?: unknown;
    }
  | {
      /** Not sent, because of the channel's own pace: no attempt. */
      readonly result: 'wait';
      readonly ms: number;
    }
  | {
      /** Permanent: the message is dead at once. */
      readonly result: 'rejected';
      readonly reason: string;
      /** The destination is gone or does not want messages: its state becomes `unsubscribed`. */
      readonly unsubscribe?: true;
    };

export interface Channel {
  readonly name: OutsideChannel;
  /** Limit of messages per minute to one destination. */
  readonly perMinute?: number;
  /** Longest time of one attempt, if the default is too short. */
  readonly attemptMs?: number;
  /** Limit of messages sent at the same time, over all destinations. */
  readonly atOnce?: number;
  /** Never rejects. `address` is one of `DestinationAddresses`. Aborting the signal ends it soon, with `retry` unless it was delivered. */
  send(address: unknown, message: OutgoingMessage, signal: AbortSignal): Promise<SendResult>;
}

/** The channels that are configured. */
export type Channels = ReadonlyMap<OutsideChannel, Channel>;
