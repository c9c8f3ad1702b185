// Twenty ways in which channels write a signal, for property tests.

export interface WrittenSignal {
  readonly symbol: string;
  readonly direction: 'buy' | 'sell';
  /** `null`: a market order. */
  readonly entry: string | null;
  /** Of an entry away from the market. */
  readonly order: 'limit' | 'stop' | null;
  readonly stop: string;
  /** One to five, nearest first. */
  readonly targets: readonly string[];
}

type Template = (signal: WrittenSignal) => string;

const upper = (text: string): string => text.toUpperCase();
const title = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
const order = ({ order, entry }: WrittenSignal): string => (entry === null ? 'now' : (order ?? ''));
const comma = (price: string): string => price.replace('.', ',');
const grouped = (price: string): string => price.replace(/\B(?=(\d{3})+(?:\.|$))(?<!\.\d*)/g, ',');
const numbered = ({ targets }: WrittenSignal, line: (target: string, number: number) => string): string =>
  targets.map((target, index) => line(target, index + 1)).join('\n');
const bold = (text: string): string =>
  Array.from(text, (char) => {
    const [letter, digit] = [char.charCodeAt(0) - 65, char.charCodeAt(0) - 48];
    if (letter >= 0 && letter < 26) return String.fromCodePoint(0x1d5d4 + letter);
    return digit >= 0 && digit < 10 ? String.fromCodePoint(0x1d7ec + digit) : char;
  }).join('');
const arabicDigits = (text: string): string =>
  text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));

const words = (buy: string, sell: string, now: string) => (signal: WrittenSignal) => ({
  side: signal.direction === 'buy' ? buy : sell,
  at: signal.entry ?? now,
});

export const TEMPLATES: readonly Template[] = [
  (s) =>
    `${s.symbol} ${upper(s.direction)} ${upper(order(s))} ${s.entry ?? ''}\n${numbered(s, (t) => `TP ${t}`)}\nSL ${s.stop}`,
  (s) => `${s.symbol} ${s.direction} ${order(s)} ${s.entry ?? ''} sl ${s.stop} tp ${s.targets.join(' / ')}`,
  (s) =>
    `${upper(s.direction)} ${upper(order(s))} ${s.symbol} ${s.entry ? `@ ${s.entry}` : ''}\nSL: ${s.stop}\n${numbered(s, (t, n) => `TP${n}: ${t}`)}`,
  (s) =>
    `${s.symbol} | ${upper(s.direction)} ${upper(order(s))} ${s.entry ?? ''} | SL: ${s.stop} | ${s.targets.map((t, i) => `TP${i + 1} ${t}`).join(' ')}`,
  (s) =>
    `🔥 SIGNAL 🔥\n📊 ${s.symbol}\n📈 ${title(s.direction)} ${title(order(s) || 'at')} ${s.entry ?? ''}\n🛑 Stop Loss: ${s.stop}\n${numbered(s, (t, n) => `🎯 Take Profit ${n}: ${t}`)}`,
  (s) =>
    `Pair: ${s.symbol}\nDirection: ${title(s.direction)}\nEntry: ${s.entry ?? 'Market'}\nStop Loss: ${s.stop}\n${numbered(s, (t, n) => `Target ${n}: ${t}`)}`,
  (s) =>
    `${s.symbol} ${s.direction === 'buy' ? 'LONG' : 'SHORT'}\nEntry ${s.entry ?? 'now'}\nStop ${s.stop}\nTargets:\n${numbered(s, (t, n) => `${n}) ${t}`)}`,
  (s) =>
    `**${s.symbol} ${upper(s.direction)}** \`${s.entry ?? 'NOW'}\`\n**SL:** \`${s.stop}\`\n${numbered(s, (t) => `**TP:** \`${t}\``)}`,
  (s) => bold(`${s.symbol} ${upper(s.direction)} ${s.entry ?? 'NOW'}\nSL ${s.stop}\n${numbered(s, (t) => `TP ${t}`)}`),
  (s) =>
    `${s.symbol} ${upper(s.direction)} ${s.entry === null ? 'NOW' : comma(s.entry)}\nSL ${comma(s.stop)}\n${numbered(s, (t) => `TP ${comma(t)}`)}`,
  (s) =>
    `${s.symbol} ${upper(s.direction)} ${s.entry === null ? 'NOW' : grouped(s.entry)}\nSL ${grouped(s.stop)}\n${numbered(s, (t) => `TP ${grouped(t)}`)}`,
  (s) =>
    `${s.symbol} ${upper(s.direction)} ${arabicDigits(s.entry ?? 'now')}\nSL ${arabicDigits(s.stop)}\n${numbered(s, (t) => `TP ${arabicDigits(t)}`)}`,
  (s) => {
    const { side, at } = words('Compra', 'Venta', 'ahora')(s);
    return `${side} ${s.symbol} ${at}\nStop loss ${s.stop}\n${numbered(s, (t, n) => `Objetivo ${n}: ${t}`)}`;
  },
  (s) => {
    const { side, at } = words('Comprar', 'Vender', 'a mercado')(s);
    return `${side} ${s.symbol} ${at}, stop ${s.stop}, ${s.targets.map((t) => `alvo ${t}`).join(', ')}`;
  },
  (s) => {
    const { side, at } = words('kaufen', 'verkaufen', 'jetzt')(s);
    return `${s.symbol} ${side} ${at}\nStopp: ${s.stop}\n${numbered(s, (t, n) => `Ziel ${n}: ${t}`)}`;
  },
  (s) => {
    const { side, at } = words('Achat', 'Vente', 'maintenant')(s);
    return `${side} ${s.symbol} ${at}\nStop : ${s.stop}\n${numbered(s, (t, n) => `Objectif ${n} : ${t}`)}`;
  },
  (s) => {
    const { side, at } = words('покупка', 'продажа', 'сейчас')(s);
    return `${s.symbol} ${side} ${at}\nСтоп ${s.stop}\n${numbered(s, (t, n) => `Тейк ${n}: ${t}`)}`;
  },
  (s) => {
    const { side, at } = words('شراء', 'بيع', 'الآن')(s);
    return `${side} ${s.symbol} ${at}\nوقف الخسارة ${s.stop}\n${numbered(s, (t, n) => `هدف ${n}: ${t}`)}`;
  },
  (s) => {
    const { side, at } = words('Beli', 'Jual', 'sekarang')(s);
    return `${side} ${s.symbol} ${at}\nSL ${s.stop}\n${numbered(s, (t, n) => `TP${n} ${t}`)}`;
  },
  (s) =>
    `${title(s.direction)} ${s.symbol} ${s.entry === null ? 'now' : `at ${s.entry}`} with stop loss at ${s.stop} and take profit at ${s.targets.join(', ')}.`,
];
