// Discord's markdown, with everything escaped that others wrote. Mentions are disabled in the request as well.
import type { OutgoingMessage } from '../channel.ts';
import { fitted, type MessageText, messageText } from './message-text.ts';

const MAX_LENGTH = 2_000;

export const escapeDiscord = (text: string): string => text.replace(/[\\*_~`|<>#[\]()@:+-]/g, '\\$&');

export const discordText = (message: OutgoingMessage): string => fitted(messageText(message), MAX_LENGTH, render);

function render({ title, facts, note, link }: MessageText): string {
  return [
    `**${escapeDiscord(title)}**`,
    ...facts.map(([label, value]) => `${label}: ${escapeDiscord(value)}`),
    ...(note === null ? [] : ['', escapeDiscord(note).replace(/^(\s*\d+)\./gm, '$1\\.')]),
    ...(link === null ? [] : ['', `<${link}>`]),
  ].join('\n');
}
