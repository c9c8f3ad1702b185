// Telegram's HTML (https://core.telegram.org/bots/api#html-style): a bold title, then plain lines.
import type { OutgoingMessage } from '../channel.ts';
import { fitted, type MessageText, messageText } from './message-text.ts';

/** Telegram counts after parsing; escaped text is never shorter. */
const MAX_LENGTH = 4_096;

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export const telegramText = (message: OutgoingMessage): string => fitted(messageText(message), MAX_LENGTH, render);

function render({ title, facts, note, link }: MessageText): string {
  return [
    `<b>${escapeHtml(title)}</b>`,
    ...facts.map(([label, value]) => `${label}: ${escapeHtml(value)}`),
    ...(note === null ? [] : ['', escapeHtml(note)]),
    ...(link === null ? [] : ['', escapeHtml(link)]),
  ].join('\n');
}
