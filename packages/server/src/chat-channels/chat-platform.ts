// What a chat platform does for channels: it sends messages.

export interface OutgoingMessage {
  readonly text: string;
  /** The message that it answers. */
  readonly replyTo: string;
  /** Whether buttons ask to publish or discard the message it answers. */
  readonly asks: boolean;
}

/** `refused`: trying again would not help. */
export type SendOutcome =
  | { readonly kind: 'sent'; readonly id: string | null }
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs: number | null }
  | { readonly kind: 'refused'; readonly reason: string };

export interface ChatSender {
  send(chat: string, message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome>;
}
