import { expect, test } from 'bun:test';
import type { PreferencesRow } from '../store/alert-store.ts';
import { AccountPreferences } from './account-preferences.ts';

const BERLIN: PreferencesRow = { account: 'pub_a', timeZone: 'Europe/Berlin', numberFormat: 'de' };

test('stored preferences apply after a restart, others are the default', () => {
  const preferences = new AccountPreferences({ putPreferences: async () => {} }, [BERLIN]);
  expect(preferences.of('pub_a')).toEqual({ time_zone: 'Europe/Berlin', number_format: 'de' });
  expect(preferences.localeOf('pub_a')).toEqual({ timeZone: 'Europe/Berlin', numberFormat: 'de' });
  expect(preferences.localeOf('pub_b')).toEqual({ timeZone: 'UTC', numberFormat: 'en' });
  preferences.forget('pub_a');
  expect([...preferences.accounts()]).toEqual([]);
  expect(preferences.of('pub_a')).toEqual({ time_zone: 'UTC', number_format: 'en' });
});

test('changes that arrive together are all kept, and one that cannot be stored changes nothing', async () => {
  const stored: PreferencesRow[] = [];
  let fails = false;
  const putPreferences = async (row: PreferencesRow): Promise<void> => {
    await Bun.sleep(1);
    if (fails) throw new Error('the disk is full');
    stored.push(row);
  };
  const preferences = new AccountPreferences({ putPreferences }, []);
  await Promise.all([
    preferences.change('pub_a', { time_zone: 'Europe/Berlin' }),
    preferences.change('pub_a', { number_format: 'de' }),
  ]);
  expect(stored.at(-1)).toEqual(BERLIN);
  fails = true;
  await expect(preferences.change('pub_a', { number_format: 'fr' })).rejects.toThrow('the disk is full');
  expect(preferences.of('pub_a').number_format).toBe('de');
  fails = false;
  expect(await preferences.change('pub_a', { number_format: 'sv' })).toMatchObject({ number_format: 'sv' });
});
