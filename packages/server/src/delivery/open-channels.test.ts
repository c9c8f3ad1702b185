import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { ConfigError, loadConfig } from '../config/config.ts';
import { type OpenChannels, openChannels } from './open-channels.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const open = (env: Record<string, string> = {}): OpenChannels =>
  openChannels(loadConfig({ env: { TICKWIRE_DATA: folder, ...env }, cwd: folder }));

describe('channels', () => {
  test('that need no settings are always open', () => {
    const { channels, pushKey, telegram } = open();
    expect([...channels.keys()]).toEqual(['webhook', 'discord', 'slack']);
    expect({ pushKey, telegram }).toEqual({ pushKey: null, telegram: null });
    expect(existsSync(join(folder, 'vapid.key'))).toBe(false);
  });

  test('that are configured are open, and push keeps its key', () => {
    const env = {
      TICKWIRE_TELEGRAM_BOT_TOKEN: '123456:ABC-DEF1234ghIkl-zyx57W2v1u',
      TICKWIRE_SMTP_URL: 'smtp://localhost',
      TICKWIRE_PUBLIC_URL: 'https://tick.example',
      TICKWIRE_MAIL_FROM: 'alerts@example.org',
      TICKWIRE_VAPID_SUBJECT: 'mailto:you@example.org',
    };
    const { channels, pushKey, telegram } = open(env);
    expect([...channels.keys()].sort()).toEqual(['discord', 'email', 'push', 'slack', 'telegram', 'webhook']);
    expect(pushKey).toMatch(/^B[\w-]{86}$/);
    expect(telegram).not.toBeNull();
    expect(open(env).pushKey).toBe(pushKey);
  });

  test('are not opened with a damaged key', () => {
    writeFileSync(join(folder, 'vapid.key'), 'nonsense');
    expect(() => open({ TICKWIRE_VAPID_SUBJECT: 'mailto:you@example.org' })).toThrow(ConfigError);
  });

  test('have limits per destination where their services have them', () => {
    const { channels } = open({ TICKWIRE_TELEGRAM_BOT_TOKEN: '123456:ABC-DEF1234ghIkl-zyx57W2v1u' });
    const limits = Object.fromEntries([...channels.values()].map(({ name, perMinute }) => [name, perMinute]));
    expect(limits).toEqual({ webhook: undefined, discord: 30, slack: 60, telegram: 20 });
  });

  test('refuse private addresses unless the operator allows them', async () => {
    expect(await open().http.refusalOf('http://127.0.0.1/')).toStartWith('its host has a private address');
    expect(await open({ TICKWIRE_DELIVERY_ALLOW_PRIVATE: 'true' }).http.refusalOf('http://127.0.0.1/')).toBeNull();
  });
});
