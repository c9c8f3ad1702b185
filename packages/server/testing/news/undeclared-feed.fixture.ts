// Feeds without a declared charset.

/** A feed that declares nothing, with most bytes in ASCII, as feeds are. */
export const undeclaredFeed = (...titles: (string | Uint8Array)[]): Uint8Array =>
  Buffer.concat([
    Buffer.from(
      '<?xml version="1.0"?>\n<rss version="2.0"><channel><title>News</title><link>https://a.example/</link>\n',
    ),
    ...titles.flatMap((title) => [
      Buffer.from('<item><guid isPermaLink="true">https://a.example/story/1</guid><title>'),
      typeof title === 'string' ? Buffer.from(title, 'latin1') : title,
      Buffer.from('</title><pubDate>Mon, 02 Mar 2026 15:04:05 GMT</pubDate></item>\n'),
    ]),
    Buffer.from('</channel></rss>'),
  ]);
