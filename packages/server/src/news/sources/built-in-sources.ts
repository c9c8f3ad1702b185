// The built-in list of `TICKWIRE_NEWS=feeds`: public feeds. The URLs and terms are unverified: they were written from
// knowledge of the publishers, without network access. A URL that no longer works shows as `failing` in the status of the
// sources and does not affect the others.
//
// Weight: 3 if the publisher is the origin of the news (it sets the rate or measures the number), 2 for its press office and
// for agencies, 1 for reporting. Terms: "public" means that releases may be reproduced with attribution, "headlines" that
// the feed is offered for reading and linking. Check the terms before you show the items to others.
import type { NewsCategory } from '@tickwire/contract';
import type { FeedSource } from './polled-source.ts';

const feed = (name: string, category: NewsCategory | null, weight: number, url: string): FeedSource => ({
  name,
  url,
  category,
  weight,
  mayBePrivate: false,
});

export const BUILT_IN_SOURCES: readonly FeedSource[] = [
  // Central banks.
  // Works of the US government: public domain.
  feed('Federal Reserve: monetary policy', 'macro', 3, 'https://www.federalreserve.gov/feeds/press_monetary.xml'),
  feed('Federal Reserve: speeches', 'macro', 2, 'https://www.federalreserve.gov/feeds/speeches.xml'),
  // Public: reproduction with the source named, unchanged.
  feed('European Central Bank: press', 'macro', 3, 'https://www.ecb.europa.eu/rss/press.html'),
  feed('European Central Bank: statistics', 'macro', 2, 'https://www.ecb.europa.eu/rss/statpress.html'),
  // Public, under the bank's own terms; commercial use by permission.
  feed('Bank of England: news', 'macro', 3, 'https://www.bankofengland.co.uk/rss/news'),
  feed('Bank of England: statistics', 'macro', 2, 'https://www.bankofengland.co.uk/rss/statistics'),
  // Public: quotation with the source named.
  feed('Bank of Japan: what is new', 'macro', 3, 'https://www.boj.or.jp/en/rss/whatsnew.xml'),
  // Public: free use with the source named.
  feed('Swiss National Bank: press', 'macro', 3, 'https://www.snb.ch/public/en/rss/pressrel'),
  // Creative Commons Attribution 4.0.
  feed('Reserve Bank of Australia: media releases', 'macro', 3, 'https://www.rba.gov.au/rss/rss-cb-media-releases.xml'),
  feed('Reserve Bank of Australia: speeches', 'macro', 2, 'https://www.rba.gov.au/rss/rss-cb-speeches.xml'),
  // Public: reproduction with the source named.
  feed('Bank of Canada: press releases', 'macro', 3, 'https://www.bankofcanada.ca/content_type/press-releases/feed/'),
  feed('Bank of Canada: speeches', 'macro', 2, 'https://www.bankofcanada.ca/content_type/speeches/feed/'),
  // Creative Commons Attribution 4.0.
  feed('Reserve Bank of New Zealand: news', 'macro', 3, 'https://www.rbnz.govt.nz/feeds/news'),
  // Public: reproduction with the source named.
  feed('Bank for International Settlements: speeches', 'macro', 1, 'https://www.bis.org/doclist/cbspeeches.rss'),

  // Statistics offices and treasuries.
  // Works of the US government: public domain. BLS asks for a contact in the User-Agent.
  feed('US Bureau of Labor Statistics: releases', 'macro', 3, 'https://www.bls.gov/feed/bls_latest.rss'),
  feed('US Bureau of Economic Analysis: releases', 'macro', 3, 'https://apps.bea.gov/rss/rss.xml'),
  feed('US Census Bureau: economic indicators', 'macro', 3, 'https://www.census.gov/economic-indicators/indicator.xml'),
  feed(
    'US Energy Information Administration: today in energy',
    'macro',
    1,
    'https://www.eia.gov/rss/todayinenergy.xml',
  ),
  // Public: reuse with the source named (Decision 2011/833/EU).
  feed(
    'Eurostat: news',
    'macro',
    3,
    'https://ec.europa.eu/eurostat/api/dissemination/catalogue/rss/en/statistics-update.rss',
  ),
  // Open Government Licence 3.0.
  feed('UK Office for National Statistics: releases', 'macro', 3, 'https://www.ons.gov.uk/releasecalendar?rss'),
  // Statistics Canada Open Licence.
  feed('Statistics Canada: The Daily', 'macro', 3, 'https://www150.statcan.gc.ca/n1/rss/dai-quo/0-eng.atom'),
  // Works of the US government: public domain.
  feed('US Securities and Exchange Commission: press', 'macro', 2, 'https://www.sec.gov/news/pressreleases.rss'),
  feed('US Commodity Futures Trading Commission: press', 'macro', 2, 'https://www.cftc.gov/RSS/RSSGP/rssgp.xml'),

  // Market news. Headlines: offered for reading and linking, not for republishing.
  feed('CNBC: economy', 'macro', 1, 'https://www.cnbc.com/id/20910258/device/rss/rss.html'),
  feed('MarketWatch: market pulse', null, 1, 'https://feeds.content.dowjones.io/public/rss/mw_marketpulse'),
  feed('Investing.com: forex', 'forex', 1, 'https://www.investing.com/rss/news_1.rss'),
  feed('Investing.com: commodities', null, 1, 'https://www.investing.com/rss/news_11.rss'),
  feed('Investing.com: economic indicators', 'macro', 1, 'https://www.investing.com/rss/news_95.rss'),
  feed('FXStreet: news', 'forex', 1, 'https://www.fxstreet.com/rss/news'),
  feed('ForexLive', 'forex', 1, 'https://www.forexlive.com/feed/news'),
  feed('DailyForex: news', 'forex', 1, 'https://www.dailyforex.com/rss/forexnews.xml'),
  feed('Kitco: news', 'gold', 1, 'https://www.kitco.com/rss/KitcoNews.xml'),
  feed('Mining.com: gold', 'gold', 1, 'https://www.mining.com/commodity/gold/feed/'),
  feed('CoinDesk', 'crypto', 1, 'https://www.coindesk.com/arc/outboundfeeds/rss/'),
  feed('Cointelegraph', 'crypto', 1, 'https://cointelegraph.com/rss'),
  feed('Decrypt', 'crypto', 1, 'https://decrypt.co/feed'),
  feed('Bitcoin Magazine', 'crypto', 1, 'https://bitcoinmagazine.com/feed'),
];
