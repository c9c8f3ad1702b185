import { describe, expect, test } from 'bun:test';
import { undeclaredFeed as feed } from '../../testing/news/undeclared-feed.fixture.ts';
import { decodeText } from './decode-text.ts';

describe('an undeclared charset', () => {
  /** Charset, headlines, and their bytes in base64. */
  const HEADLINES: [string, string, string][] = [
    [
      'windows-1251',
      'Золото дорожает на фоне ослабления доллара | Банк России сохранил ключевую ставку на уровне 16%',
      'x+7r7vLuIOTu8O7m4OXyIO3gIPTu7eUg7vHr4OHr5e3o/yDk7uvr4PDgIHwgweDt6iDQ7vHx6Ogg8e718ODt6Osg6uv+9+Xi8/4g8fLg4urzIO3gIPPw7uLt5SAxNiU=',
    ],
    [
      'koi8-u',
      'Золото дорожает на фоне ослабления доллара | Банк России сохранил ключевую ставку на уровне 16%',
      '+s/Mz9TPIMTP0s/WwcXUIM7BIMbPzsUgz9PMwcLMxc7J0SDEz8zMwdLBIHwg4sHOyyDyz9PTyckg08/I0sHOycwgy8zA3sXX1cAg09TB18vVIM7BINXSz9fOxSAxNiU=',
    ],
    [
      'iso-8859-5',
      'Золото дорожает на фоне ослабления доллара | Банк России сохранил ключевую ставку на уровне 16%',
      't97b3uLeINTe4N7W0NXiIN3QIOTe3dUg3uHb0NHb1d3Y7yDU3tvb0ODQIHwgsdDd2iDA3uHh2Ngg4d7l4NDd2Nsg2tvu59XS4+4g4eLQ0trjIN3QIOPg3tLd1SAxNiU=',
    ],
    [
      'koi8-u',
      'Нацбанк України знизив облікову ставку до 13,5% | Гривня зміцнилась щодо долара на міжбанку | Ціни на золото оновили історичний максимум',
      '7sHDwsHOyyD1y9LBp87JINrOydrJ1yDPwsymy8/X1SDT1MHXy9UgxM8gMTMsNSUgfCDn0snXztEg2s2mw87JzMHT2CDdz8TPIMTPzMHSwSDOwSDNptbCwc7L1SB8IOOmzskgzsEg2s/Mz9TPIM/Oz9fJzMkgptPUz9LJ3s7JyiDNwcvTyc3VzQ==',
    ],
    [
      'windows-1251',
      'Златото поскъпна до нов исторически връх | ЕЦБ понижи основния лихвен процент',
      'x+vg8u7y7iDv7vHq+u/t4CDk7iDt7uIg6PHy7vDo9+Xx6ugg4vD69SB8IMXWwSDv7u3o5ugg7vHt7uLt6P8g6+j14uXtIO/w7vbl7fI=',
    ],
    [
      'shift_jis',
      '日銀、政策金利を据え置き 円安が進行 | 金価格が最高値を更新、ドル安が追い風 | 東京株式市場 日経平均は３日続伸',
      'k/qL4oFBkK2N9Ivgl5iC8JCYgqaSdYKrIIl+iMCCqpBpjXMgfCCL4Im/immCqo3FjYKSbILwjViQVoFBg2iDi4jAgqqSx4KilZcgfCCTjIueipSOro5zj+ogk/qMb5W9i8+CzYJSk/qRsZBM',
    ],
    [
      'euc-jp',
      '日銀、政策金利を据え置き 円安が進行 | 金価格が最高値を更新、ドル安が追い風 | 東京株式市場 日経平均は３日続伸',
      'xvy25KGiwK+69rbizfik8r/4pKjD1qStILHfsMKkrL/KudQgfCC24rLBs8qkrLrHueLDzaTyubm/t6Gipcml67DCpKzEyaSkyfcgfCDF7LX+s/S8sLvUvuwgxvy30Mq/ttGkz6OzxvzCs7+t',
    ],
    [
      'gb18030',
      '人民币对美元汇率中间价上调 | 黄金价格再创历史新高 | 央行宣布下调存款准备金率0.5个百分点',
      'yMvD8bHSttTDwNSqu+PCytbQvOS828nPtfcgfCC7xr3wvNu48dTZtLTA+sq30MK43yB8INHr0NDQ+7K8z8K197Tmv+7XvLG4vfDCyjAuNbj2sNm31rXj',
    ],
    [
      'big5',
      '央行維持利率不變，新台幣走強 | 黃金價格再創歷史新高 | 美元指數下跌，日圓急升',
      'paGm5rr7q/mnUbJ2pKPF3KFBt3OleLn0qKuxaiB8ILbAqve7+a7mpkGz0L76pXa3c7CqIHwgrPykuKv8vMakVbZeoUGk6bbqq+akyQ==',
    ],
    [
      'euc-kr',
      '한국은행, 기준금리 동결 결정 | 금값 사상 최고치 경신 | 원달러 환율 1400원 돌파',
      'x9GxucC6x+AsILHiwdix3biuILW/sOEgsOHBpCB8ILHdsKogu+e78yDD1rDtxKEgsOa9xSB8IL/4tN63ryDIr8CyIDE0MDC/+CC1ucbE',
    ],
    [
      'iso-8859-7',
      'Νέο ρεκόρ για τον χρυσό | Η ΕΚΤ διατήρησε τα επιτόκια | Υποχωρεί το δολάριο έναντι του ευρώ',
      'zd3vIPHl6vzxIOPp4SD07+0g9/H18/wgfCDHIMXK1CDk6eH03vHn8+Ug9OEg5fDp9Pzq6eEgfCDV8O/3+fHl3yD07yDk7+vc8envIN3t4e306SD07/Ug5fXx/g==',
    ],
    [
      'windows-1255',
      'הזהב עולה לשיא חדש | בנק ישראל הותיר את הריבית ללא שינוי | הדולר נחלש מול השקל',
      '5Obk4SDy5ezkIOz56eAg5+P5IHwg4fD3IOn5+ODsIOTl+un4IOD6IOT46eHp+iDs7OAg+enw5ekgfCDk4+Xs+CDw5+z5IO7l7CDk+ffs',
    ],
    [
      'windows-1256',
      'البنك المركزي يبقي أسعار الفائدة دون تغيير | الدولار يتراجع أمام اليورو',
      'x+HI5N8gx+Hj0d/S7SDtyN7tIMPT2sfRIMfh3cfGz8kgz+bkIMrb7e3RIHwgx+HP5uHH0SDtytHHzNogw+PH4yDH4e3m0eY=',
    ],
  ];

  test.each(HEADLINES)('is detected: %s', (encoding, text, base64) => {
    const decoded = decodeText(feed(Buffer.from(base64, 'base64')), null);
    expect(decoded.encoding).toBe(encoding);
    expect(decoded.text).toContain(`<title>${text}</title>`);
  });

  test.each(HEADLINES)('is detected although ISO 8859-1 or UTF-8 is declared: %s', (encoding, text, base64) => {
    for (const charset of ['iso-8859-1', 'utf-8']) {
      const decoded = decodeText(feed(Buffer.from(base64, 'base64')), `text/xml; charset=${charset}`);
      expect(decoded).toEqual({ text: expect.stringContaining(`<title>${text}</title>`), encoding });
    }
  });

  test.each([
    'Gold kl\xe4ttert \x96 \xd6lpreise fallen, EZB h\xe4lt Leitzinsen; Z\xfcrich: SNB \xfcberrascht',
    'La Banque centrale europ\xe9enne abaisse ses taux apr\xe8s les stocks am\xe9ricains \xab cr\xe9\xe9s \xbb',
    'Infla\xe7\xe3o desacelera; D\xf3lar recua ap\xf3s decis\xe3o; proje\xe7\xf5es, op\xe7\xf5es',
    'Infla\xe7\xe3o, proje\xe7\xf5es, op\xe7\xf5es, a\xe7\xf5es, na\xe7\xf5es, situa\xe7\xe3o, corre\xe7\xe3o, rela\xe7\xe3o',
    'Fed\x92s Powell: \x93no hurry\x94 \x97 pound at \xa31.30, \xa31.31, \xa31.32, \xa31.33, \xa31.34',
  ])('is windows-1252 in Latin scripts: %s', (title) => {
    expect(decodeText(feed(title), null)).toEqual({
      text: expect.stringContaining(new TextDecoder('windows-1252').decode(Buffer.from(title, 'latin1'))),
      encoding: 'windows-1252',
    });
  });

  test('is ISO-2022-JP if its escape sequences show it', () => {
    const decoded = decodeText(feed('\x1b$B6b2A3J\x1b(B'), 'text/xml; charset=utf-8');
    expect(decoded).toEqual({ text: expect.stringContaining('<title>金価格</title>'), encoding: 'iso-2022-jp' });
    expect(decodeText(Buffer.from('é \x1b$B6b\x1b(B'), null).encoding).toBe('utf-8');
  });

  // Work that grows with the square of the length would take longer than a test may take.
  test('is detected in two megabytes of any bytes', () => {
    const length = 2 ** 21;
    const contents = {
      letters: Buffer.alloc(length, 'a'),
      tags: Buffer.alloc(length, '<'),
      bytes: Buffer.alloc(length, Buffer.from([0xd0])),
      pairs: Buffer.alloc(length, Buffer.from([0xc7, 0xee, 0x20])),
      random: Buffer.from(Uint32Array.from({ length: length / 4 }, (_, n) => Math.imul(n, 2_654_435_761)).buffer),
      repaired: Buffer.alloc(length, Buffer.from([0xc3, 0xa9, 0x20, 0x92, 0x20])),
    };
    for (const content of Object.values(contents))
      expect(decodeText(Buffer.concat([content, Buffer.from([0xff])]), null).encoding).toBeString();
  });
});
