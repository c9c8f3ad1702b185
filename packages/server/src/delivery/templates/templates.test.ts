import { describe, expect, test } from 'bun:test';
import { NUMBER_FORMATS } from '@tickwire/contract';
import fc from 'fast-check';
import {
  ALERT,
  CALENDAR,
  CLOSED,
  codeMessage,
  FILLED,
  HEADLINE,
  outgoing,
  PUBLISHED,
} from '../../../testing/delivery/messages.fixture.ts';
import type { OutgoingMessage } from '../channel.ts';
import { discordText } from './discord-text.ts';
import { formatNumber, formatTime } from './format.ts';
import { mailText } from './mail-text.ts';
import { plainLine } from './message-text.ts';
import { pushPayload } from './push-text.ts';
import { slackText } from './slack-text.ts';
import { telegramText } from './telegram-text.ts';

const BERLIN = { timeZone: 'Europe/Berlin', numberFormat: 'de' };

describe('messages, in the form of Telegram', () => {
  test('an alert', () => {
    expect(telegramText(outgoing(ALERT, { digits: 5 }))).toMatchInlineSnapshot(`
      "<b>EURUSD bid crossed above 1.20000</b>
      Price: 1.20001
      Time: 2 Mar 2026, 10:14:07 UTC

      Sell half"
    `);
  });
  test('an alert that was noticed late, in the time zone and number format of the account', () => {
    const late = { ...ALERT, data: { ...ALERT.data, late: true, price: 12_650.5 } };
    expect(telegramText(outgoing(late, { digits: 2, locale: BERLIN }))).toMatchInlineSnapshot(`
      "<b>EURUSD bid crossed above 1,20000</b>
      Price: 12.650,50
      Time: 2 Mar 2026, 11:14:07 CET
      Late: noticed at 2 Mar 2026, 11:20:07 CET

      Sell half"
    `);
  });
  test('a published signal', () => {
    expect(telegramText(outgoing(PUBLISHED, { digits: 2 }))).toMatchInlineSnapshot(`
      "<b>goldsmith: buy XAUUSD at 2650.50</b>
      Publisher: goldsmith
      Order: buy XAUUSD
      Entry: 2,650.50
      Stop loss: 2,640.00
      Take profit: 2,675.00
      Time: 2 Mar 2026, 10:14:07 UTC"
    `);
  });
  test('a fill', () => {
    expect(telegramText(outgoing(FILLED, { digits: 2 }))).toMatchInlineSnapshot(`
      "<b>goldsmith: XAUUSD filled at 2650.60</b>
      Publisher: goldsmith
      Order: buy XAUUSD
      Filled at: 2,650.60
      Stop loss: 2,640.00
      Take profit: 2,675.00
      Time: 2 Mar 2026, 10:14:07 UTC"
    `);
  });
  test('a closing with its verified profit', () => {
    expect(telegramText(outgoing(CLOSED, { digits: 2 }))).toMatchInlineSnapshot(`
      "<b>goldsmith: XAUUSD target hit</b>
      Publisher: goldsmith
      Order: buy XAUUSD
      Result: target hit
      Entry: 2,650.60
      Exit: 2,675.00
      Verified PnL: +244.0 pips, +0.92 %, +2.32 R
      Time: 2 Mar 2026, 10:14:07 UTC"
    `);
  });
  test('a closing with a loss, in another number format', () => {
    const signal = {
      ...(CLOSED.data.signal as object),
      pnl: -105,
      pnl_percent: -0.4,
      pnl_r: -1,
      close_reason: 'stop_loss',
    };
    expect(
      telegramText(outgoing({ ...CLOSED, data: { ...CLOSED.data, signal } }, { digits: 2, locale: BERLIN })),
    ).toMatchInlineSnapshot(`
      "<b>goldsmith: XAUUSD target hit</b>
      Publisher: goldsmith
      Order: buy XAUUSD
      Result: stopped out
      Entry: 2.650,60
      Exit: 2.675,00
      Verified PnL: -105,0 pips, -0,40 %, -1,00 R
      Time: 2 Mar 2026, 11:14:07 CET"
    `);
  });
  test('a signal that was never filled has no profit', () => {
    const signal = {
      ...(CLOSED.data.signal as object),
      ...{ pnl: 0, pnl_percent: 0, pnl_r: 0, entry_price: null, exit_price: null, close_reason: 'unfilled' },
    };
    expect(
      telegramText(outgoing({ ...CLOSED, data: { ...CLOSED.data, signal } }, { digits: 2 })),
    ).toMatchInlineSnapshot(`
      "<b>goldsmith: XAUUSD target hit</b>
      Publisher: goldsmith
      Order: buy XAUUSD
      Result: not filled
      Time: 2 Mar 2026, 10:14:07 UTC"
    `);
  });
  test('a headline', () => {
    expect(telegramText(outgoing(HEADLINE))).toMatchInlineSnapshot(`
      "<b>Fed holds rates &amp; signals &lt;two&gt; cuts_in *2026*</b>
      Category: macro
      Sentiment: bullish (+0.62)
      Source: Example Wire
      Time: 2 Mar 2026, 10:14:07 UTC

      https://wire.example/a?b=1&amp;c=%3C2%3E"
    `);
  });
  test('a calendar event', () => {
    expect(telegramText(outgoing(CALENDAR))).toMatchInlineSnapshot(`
      "<b>US CPI in 5 minutes</b>
      Event: CPI y/y
      Due: 2 Mar 2026, 13:30:00 UTC
      Country: US
      Impact: high
      Forecast: 2.9%
      Previous: 3.0%
      Time: 2 Mar 2026, 10:14:07 UTC

      Sell half"
    `);
  });
  test('a test message', () => {
    expect(telegramText(outgoing({ ...ALERT, type: 'test' }))).toMatchInlineSnapshot(`
      "<b>EURUSD bid crossed above 1.20000</b>
      Test: this message was requested. No alert fired
      Price: 1.20001
      Time: 2 Mar 2026, 10:14:07 UTC

      Sell half"
    `);
  });
  test('a code', () => {
    expect(telegramText(codeMessage())).toMatchInlineSnapshot(`
      "<b>Your Tickwire code: 482913</b>

      Enter it in Tickwire within 15 minutes to receive messages here.
      If you did not ask for it, ignore this message: nothing more will be sent."
    `);
  });
});

describe('a headline with markup', () => {
  test('for Discord', () => {
    expect(discordText(outgoing(HEADLINE))).toMatchInlineSnapshot(`
      "**Fed holds rates & signals \\<two\\> cuts\\_in \\*2026\\***
      Category: macro
      Sentiment: bullish \\(\\+0.62\\)
      Source: Example Wire
      Time: 2 Mar 2026, 10\\:14\\:07 UTC

      <https://wire.example/a?b=1&c=%3C2%3E>"
    `);
  });
  test('for Slack', () => {
    expect(slackText(outgoing(HEADLINE))).toMatchInlineSnapshot(`
      "Fed holds rates &amp; signals &lt;two&gt; cuts_in *2026*
      Category: macro
      Sentiment: bullish (+0.62)
      Source: Example Wire
      Time: 2 Mar 2026, 10:14:07 UTC

      <https://wire.example/a?b=1&amp;c=%3C2%3E>"
    `);
  });
  test('in a mail', () => {
    const unsubscribe = 'https://tick.example/unsubscribe/dst_1.AAAAAAAAAAAAAAAAAAAAAA';
    const { subject, text, html } = mailText(outgoing(HEADLINE, { unsubscribe }));
    expect(subject).toBe('Fed holds rates & signals <two> cuts_in *2026*');
    expect(text).toMatchInlineSnapshot(`
      "Fed holds rates & signals <two> cuts_in *2026*

      Category: macro
      Sentiment: bullish (+0.62)
      Source: Example Wire
      Time: 2 Mar 2026, 10:14:07 UTC

      https://wire.example/a?b=1&c=%3C2%3E

      -- 
      Unsubscribe: https://tick.example/unsubscribe/dst_1.AAAAAAAAAAAAAAAAAAAAAA"
    `);
    expect(html).toMatchInlineSnapshot(`
      "<!doctype html><html lang="en"><head><meta charset="utf-8"></head>
      <body style="font-family:sans-serif;font-size:15px;line-height:1.4">
      <p><strong>Fed holds rates &amp; signals &lt;two&gt; cuts_in *2026*</strong></p>
      <table role="presentation" cellspacing="0" cellpadding="0"><tr><td style="padding:2px 16px 2px 0;color:#666">Category</td><td>macro</td></tr><tr><td style="padding:2px 16px 2px 0;color:#666">Sentiment</td><td>bullish (+0.62)</td></tr><tr><td style="padding:2px 16px 2px 0;color:#666">Source</td><td>Example Wire</td></tr><tr><td style="padding:2px 16px 2px 0;color:#666">Time</td><td>2 Mar 2026, 10:14:07 UTC</td></tr></table>
      <p><a href="https://wire.example/a?b=1&amp;c=%3C2%3E">https://wire.example/a?b=1&amp;c=%3C2%3E</a></p>
      <p style="color:#666;font-size:13px"><a href="https://tick.example/unsubscribe/dst_1.AAAAAAAAAAAAAAAAAAAAAA">Unsubscribe</a></p>
      </body></html>"
    `);
  });
  test('as a push message', () => {
    expect(pushPayload(outgoing(HEADLINE))).toMatchInlineSnapshot(`
      {
        "alert_id": "alr_5d7e8f603f9c2a1b",
        "body": 
      "Category: macro
      Sentiment: bullish (+0.62)
      Source: Example Wire
      Time: 2 Mar 2026, 10:14:07 UTC"
      ,
        "id": "msg_1b5d7e8f603f9c2a",
        "symbol": null,
        "timestamp": "2026-03-02T10:14:07.312Z",
        "title": "Fed holds rates & signals <two> cuts_in *2026*",
        "type": "news.published",
      }
    `);
  });
});

describe('times and numbers', () => {
  test('are in the time zone and number format of the account', () => {
    expect(formatTime('2026-07-02T22:14:07Z', BERLIN)).toBe('3 Jul 2026, 00:14:07 CEST');
    expect(formatTime(0, { timeZone: 'UTC', numberFormat: 'en' })).toBe('1 Jan 1970, 00:00:00 UTC');
    expect(formatNumber(1_234_567.891, BERLIN, { digits: 2 })).toBe('1.234.567,89');
    expect(formatNumber(1_234_567.891, { timeZone: 'UTC', numberFormat: 'fr' }, { digits: 2 })).toBe('1 234 567,89');
    expect(formatNumber(0.000012345, { timeZone: 'UTC', numberFormat: 'en' })).toBe('0.00001235');
  });

  test('follow the clock changes of the zone', () => {
    const newYork = { timeZone: 'America/New_York', numberFormat: 'en' };
    const times = ['2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z', '2026-10-25T00:59:59Z', '2026-10-25T01:00:00Z'];
    expect(times.map((time) => formatTime(time, BERLIN))).toEqual([
      '29 Mar 2026, 01:59:59 CET',
      '29 Mar 2026, 03:00:00 CEST',
      '25 Oct 2026, 02:59:59 CEST',
      '25 Oct 2026, 02:00:00 CET',
    ]);
    // An abbreviation that is not known in Europe is an offset.
    expect(formatTime('2026-03-08T06:59:59Z', newYork)).toBe('8 Mar 2026, 01:59:59 GMT-5');
    expect(formatTime('2026-03-08T07:00:00Z', newYork)).toBe('8 Mar 2026, 03:00:00 GMT-4');
    const days = (date: string) => formatTime(date, { timeZone: 'Asia/Tokyo', numberFormat: 'ja' });
    expect(days('2026-12-31T15:00:00Z')).toBe('1 Jan 2027, 00:00:00 GMT+9');
  });

  test('are written in the notation of each number format', () => {
    const written = NUMBER_FORMATS.map((numberFormat) => [
      numberFormat,
      formatNumber(1_234_567.5, { timeZone: 'UTC', numberFormat }, { digits: 2 }),
    ]);
    expect(Object.fromEntries(written)).toEqual({
      en: '1,234,567.50',
      'en-GB': '1,234,567.50',
      'en-IN': '12,34,567.50',
      de: '1.234.567,50',
      'de-CH': "1'234'567.50",
      es: '1.234.567,50',
      fr: '1 234 567,50',
      it: '1.234.567,50',
      ja: '1,234,567.50',
      nl: '1.234.567,50',
      pl: '1 234 567,50',
      'pt-BR': '1.234.567,50',
      sv: '1 234 567,50',
    });
  });

  test('are in the notation of the account also in titles, except for the words of others', () => {
    const titled = (title: string, message = ALERT, locale = BERLIN) =>
      pushPayload({ ...outgoing(message, { locale }), title }).title;
    expect(titled('XAUUSD ask crossed above 4282.940')).toBe('XAUUSD ask crossed above 4.282,940');
    expect(titled('XAUUSD ask crossed above 4282.940', ALERT, { ...BERLIN, numberFormat: 'en' })).toBe(
      'XAUUSD ask crossed above 4282.940',
    );
    expect(titled('EURUSD rsi(14) crossed below -0.5 on 5m bars')).toBe('EURUSD rsi(14) crossed below -0,5 on 5m bars');
    expect(titled('Version 2.5 of 1.2.3 released', HEADLINE)).toBe('Version 2.5 of 1.2.3 released');
    const headline = { ...ALERT, data: { ...ALERT.data, condition: { type: 'headline' as const } } };
    expect(titled('Headline: Inflation at 2.5', headline)).toBe('Headline: Inflation at 2.5');
  });

  test('fall back to UTC and English if the account has something unknown', () => {
    const unknown = { timeZone: 'Mars/Olympus', numberFormat: 'not a tag' };
    expect(formatTime(0, unknown)).toBe('1 Jan 1970, 00:00:00 UTC');
    expect(formatNumber(1_234.5, unknown)).toBe('1,234.5');
    expect(formatTime('yesterday', unknown)).toBe('');
  });
});

describe('any text', () => {
  const withTexts = (title: string, note: string): OutgoingMessage => ({
    ...outgoing({ ...HEADLINE, data: { ...HEADLINE.data, note } }),
    title,
  });
  const texts = fc.string({ unit: 'binary', maxLength: 500 });

  test('fits the limits of the channels', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('*', '<', '\u{1f4c8}', 'a', '\n'), maxLength: 500 }), (text) => {
        const message = withTexts(text, text);
        expect(telegramText(message).length).toBeLessThanOrEqual(4_096);
        expect(discordText(message).length).toBeLessThanOrEqual(2_000);
        expect(slackText(message).length).toBeLessThanOrEqual(4_000);
        expect(Buffer.byteLength(JSON.stringify(pushPayload(message)))).toBeLessThan(3_900);
      }),
      { examples: [['*'.repeat(500)], ['\u{1f4c8}'.repeat(250)], ['<'.repeat(500)]] },
    );
  });

  test('cannot leave its place: no loose markup, no line breaks in a title', () => {
    fc.assert(
      fc.property(texts, texts, (title, note) => {
        const message = withTexts(title, note);
        expect(telegramText(message).replace(/<\/?b>/g, '')).not.toMatch(/[<>]/);
        expect(slackText(message).replace(/\n<https:[^<>]*>$/, '')).not.toMatch(/[<>]/);
        const { subject, html } = mailText(message);
        expect(subject).not.toMatch(/\p{Cc}/u);
        expect(html).not.toMatch(/<(script|img|style)/i);
        const [, rest = ''] = /^\*\*(.*)$/s.exec(discordText(message)) ?? [];
        expect(
          rest
            .replace(/\\./gs, '')
            .replace(/\n<https:[^<>]*>$/, '')
            .replace('**', ''),
        ).not.toMatch(/[*_`~|<>@]/);
      }),
    );
  });
});

test('invisible characters and those that change the direction of text are left out, joiners are kept', () => {
  const joined = '\u{1f468}\u200d\u{1f469}';
  expect(plainLine(`a\u061cb\u200bc\u202ed\u2066e\u00adf\u0007 ${joined}`, 50)).toBe(`abcdef ${joined}`);
});
