// Where heads go: the store, time-stamp authorities, a file, a webhook, a Telegram chat.
import { open } from 'node:fs/promises';
import type { LogHead } from '@tickwire/contract';
import type { Config } from '../config/config.ts';
import { boundedFetch } from '../ops/bounded-fetch.ts';
import type { HeadStore } from '../store/head-store.ts';
import { headRow } from './head.ts';
import { type HeadDestination, isSameHead } from './head-delivery.ts';

const POST_TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 64 * 1024;
/** Longer than any head. */
const LAST_LINE_BYTES = 4_096;

export type HeadSettings = Pick<
  Config,
  'head_file' | 'head_webhook' | 'head_telegram' | 'head_telegram_url' | 'timestamp_urls' | 'timestamp_ca'
>;

/** The destinations of the settings. The store comes first, and is always one. */
export async function headDestinations(settings: HeadSettings, store: HeadStore): Promise<HeadDestination[]> {
  const { head_file, head_webhook, head_telegram, head_telegram_url, timestamp_urls, timestamp_ca } = settings;
  const destinations = [storeDestination(store)];
  if (timestamp_urls.length > 0) {
    // Loaded on demand: most installations have no authority, and its library takes a while to load.
    const { authorityDestinations } = await import('./timestamp/authority-destinations.ts');
    destinations.push(...authorityDestinations(timestamp_urls, timestamp_ca, store));
  }
  if (head_file !== null) destinations.push(fileDestination(head_file));
  if (head_webhook !== null) destinations.push(webhookDestination(head_webhook));
  if (head_telegram !== null) destinations.push(telegramDestination(head_telegram, head_telegram_url));
  return destinations;
}

export const storeDestination = (store: HeadStore): HeadDestination => ({
  name: 'store',
  deliver: async (head) => {
    await store.keep(headRow(head));
  },
});

export const fileDestination = (path: string): HeadDestination => ({
  name: path,
  deliver: (head) => appendLine(path, head),
});

export const webhookDestination = (url: string): HeadDestination => ({
  name: new URL(url).origin,
  deliver: (head) => post(url, head),
});

/** `telegram`: token of the bot and id of the chat. The token is part of the address, so that it must not be logged. */
export const telegramDestination = (
  { token, chat }: NonNullable<HeadSettings['head_telegram']>,
  base: string,
): HeadDestination => ({
  name: 'Telegram',
  deliver: ({ log, n, hash, at }) => {
    const text = `Tickwire signal log ${log}\nrecord ${n}\nhash ${hash}\nat ${at}`;
    return post(`${base.replace(/\/$/, '')}/bot${token}/sendMessage`, { chat_id: chat, text }).catch((error: Error) => {
      throw new Error(error.message.replaceAll(token, '…'));
    });
  },
});

/** Appends the head unless it is the last line already, so that a restart writes nothing twice. */
async function appendLine(path: string, head: LogHead): Promise<void> {
  await using file = await open(path, 'a+');
  const stats = await file.stat();
  const { size } = stats;
  // Heads are meant to be published, unlike the other files of the service.
  if (size === 0 && stats.isFile()) await file.chmod(0o644);
  const length = Math.min(size, LAST_LINE_BYTES);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  const end = buffer.toString('utf8');
  const last = end.trimEnd().split('\n').at(-1)!;
  if (isSameLine(last, head)) return;
  // A line that a crash cut off stays a separate line.
  const seam = end === '' || end.endsWith('\n') ? '' : '\n';
  await file.appendFile(`${seam}${JSON.stringify(head)}\n`);
  await file.sync();
}

function isSameLine(line: string, head: LogHead): boolean {
  try {
    return isSameHead(JSON.parse(line) as LogHead, head);
  } catch {
    return false;
  }
}

/** Redirects are not followed: the operator has named the address. */
async function post(url: string, body: unknown): Promise<void> {
  using response = await boundedFetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    totalMs: POST_TIMEOUT_MS,
    maxBytes: MAX_RESPONSE_BYTES,
  });
  // Read to the end, so that the connection can be used again; the content does not matter.
  await response.bytes().catch(() => {});
  if (!response.ok) throw new Error(`it responded with status ${response.status}`);
}
