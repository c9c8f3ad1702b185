// A mail: subject, plain text, and simple HTML without images, styles and scripts of others.
import type { OutgoingMessage } from '../channel.ts';
import { messageText, unsubscribeLink } from './message-text.ts';
import { escapeHtml } from './telegram-text.ts';

export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function mailText(message: OutgoingMessage): MailText {
  const { title, facts, note, link } = messageText(message);
  const unsubscribe = unsubscribeLink(message);
  const text = [
    title,
    ...(facts.length === 0 ? [] : ['', ...facts.map(([label, value]) => `${label}: ${value}`)]),
    ...(note === null ? [] : ['', note]),
    ...(link === null ? [] : ['', link]),
    ...(unsubscribe === null ? [] : ['', '-- ', `Unsubscribe: ${unsubscribe}`]),
  ].join('\n');
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td style="padding:2px 16px 2px 0;color:#666">${label}</td><td>${escapeHtml(value)}</td></tr>`,
  );
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"></head>',
    '<body style="font-family:sans-serif;font-size:15px;line-height:1.4">',
    `<p><strong>${escapeHtml(title)}</strong></p>`,
    rows.length === 0 ? '' : `<table role="presentation" cellspacing="0" cellpadding="0">${rows.join('')}</table>`,
    note === null ? '' : `<p>${escapeHtml(note).replaceAll('\n', '<br>')}</p>`,
    link === null ? '' : `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`,
    unsubscribe === null
      ? ''
      : `<p style="color:#666;font-size:13px"><a href="${escapeHtml(unsubscribe)}">Unsubscribe</a></p>`,
    '</body></html>',
  ];
  return { subject: title, text, html: html.filter(Boolean).join('\n') };
}
