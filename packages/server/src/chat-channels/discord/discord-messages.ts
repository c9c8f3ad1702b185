// The messages that the bot writes. They mention nobody and show no previews of links.
import { sha256Hex } from '../../ops/sha256.ts';
import { buttonsFor } from '../chat-buttons.ts';
import type { OutgoingMessage } from '../chat-platform.ts';
import { firstPoints } from '../chat-texts.ts';

const MAX_TEXT = 2_000;
const SUPPRESS_EMBEDS = 1 << 2;
const [ACTION_ROW, BUTTON] = [1, 2];
const SECONDARY_STYLE = 2;

/** The nonce keeps Discord from posting the same answer to a message again after a crash, for a few minutes. */
export const createBody = ({ text, replyTo, asks }: OutgoingMessage) => ({
  ...contentBody(text, asks ? replyTo : null),
  flags: SUPPRESS_EMBEDS,
  // Its author may have deleted the message meanwhile.
  message_reference: { message_id: replyTo, fail_if_not_exists: false },
  nonce: sha256Hex(`${replyTo}\n${text}`).slice(0, 25),
  enforce_nonce: true,
});

/** `asksAbout`: the message that buttons ask to publish or discard. */
export const contentBody = (text: string, asksAbout: string | null) => ({
  content: firstPoints(text, MAX_TEXT),
  allowed_mentions: { parse: [] },
  components: asksAbout === null ? [] : [{ type: ACTION_ROW, components: buttonsFor(asksAbout).map(button) }],
});

const button = ({ label, data }: ReturnType<typeof buttonsFor>[number]) => ({
  ...{ type: BUTTON, style: SECONDARY_STYLE, label, custom_id: data },
});
