// Runs the fake of Telegram, to try deliveries without Telegram. What you type, or post to /say, is said to the bot in a
// private chat; what the bot sends is printed.
//
//   node packages/server/bin/bun.mjs packages/server/testing/delivery/run-fake-telegram.ts [PORT]
import { createInterface } from 'node:readline';
import { FAKE_BOT_TOKEN, FakeTelegram, type SentMessage } from './fake-telegram.fixture.ts';

const YOU = 1_001;
const port = Number(process.argv[2] ?? 8_090);

const plain = (html: string): string =>
  html
    .replace(/<\/?\w+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

const print = ({ text }: SentMessage): void => console.log(`\n${plain(text).replace(/^/gm, '  | ')}\n`);

const telegram = (await FakeTelegram.open(port, print)).chat({ id: YOU, type: 'private', title: 'You' });
console.log(`A fake of Telegram is listening. Start Tickwire with:

  export TICKWIRE_TELEGRAM_API_URL=${telegram.url}
  export TICKWIRE_TELEGRAM_BOT_TOKEN=${FAKE_BOT_TOKEN}

Type the code here, or run: curl -d CODE ${telegram.url}/say
To reply to what you wrote last: curl -d TEXT '${telegram.url}/say?reply'
Messages of the bot appear below.`);
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.trim() !== '') telegram.say(YOU, line);
});
