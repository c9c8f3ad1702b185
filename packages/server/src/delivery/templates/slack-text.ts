// Plain text for Slack. Its markup is disabled in the request; `<`, `>` and `&` mean something even then.
import type { OutgoingMessage } from '../channel.ts';
import { fitted, type MessageText, messageText } from './message-text.ts';

const MAX_LENGTH = 4_000;

export const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const slackText = (message: OutgoingMessage): string => fitted(messageText(message), MAX_LENGTH, render);

function render({ title, facts, note, link }: MessageText): string {
  return [
    escapeSlack(title),
    ...facts.map(([label, value]) => `${label}: ${escapeSlack(value)}`),
    ...(note === null ? [] : ['', escapeSlack(note)]),
    ...(link === null ? [] : ['', `<${escapeSlack(link)}>`]),
  ].join('\n');
}
