// Words and phrases of each category with their weight: 3 nearly decides the category alone, 2 is enough to be on topic,
// 1 only supports, 0 hides the words of the phrase from the others ("dollar general" is a shop).
import type { NewsCategory } from '@tickwire/contract';

type Weighted = Readonly<Partial<Record<0 | 1 | 2 | 3, string>>>;

export const CATEGORY_WORDS: Readonly<Record<NewsCategory, Weighted>> = {
  gold: {
    3: 'gold, bullion, spot gold, gold price, gold etf, xau, precious metal, gold reserve, gold demand',
    2: 'silver, xag, platinum, palladium, comex, gold miner, troy ounce',
    1: 'safe haven, ounce, miner, mine, jewellery, jewelry',
    0: `gold medal, gold medalist, gold medallist, gold coast, gold card, gold rush, gold standard of, golden globe, silver lining,
      silver medal, silver screen, olympic gold, wins gold, win gold, won gold, silver lake, gold cup`,
  },
  crypto: {
    3: `bitcoin, btc, ethereum, ether, eth, solana, xrp, cardano, dogecoin, litecoin, ltc, bnb, stablecoin, usdt, usdc, crypto,
      cryptocurrency, altcoin, defi, digital asset, digital currency, binance, coinbase, bitcoin etf, spot bitcoin, bitcoin miner,
      crypto exchange, memecoin, meme coin, tokenization, tokenisation`,
    2: `ripple, tether, blockchain, nft, on chain, onchain, halving, web3, staking, smart contract, layer 2, hash rate, hashrate,
      satoshi, doge, mainnet, testnet, cbdc, digital euro, digital yuan, polkadot, chainlink, avalanche network, toncoin, shiba inu`,
    1: 'token, coin, wallet, miner, ledger, exchange hack, sol, ada, fork, airdrop',
    0: 'ripple effect, coin toss, coin collector, bitcoin family',
  },
  forex: {
    3: `forex, fx, exchange rate, us dollar, dollar index, dxy, greenback, yen, sterling, british pound, swiss franc,
      australian dollar, new zealand dollar, loonie, canadian dollar, yuan, renminbi, rupee, ringgit, rupiah, jpy, chf, gbp,
      currency intervention, fx intervention, currency market, currency pair, dollar bull, dollar bear`,
    2: `dollar, euro, currency, aussie, franc, peso, lira, rand, ruble, rouble, krone, krona, baht, zloty, forint, shekel, usd,
      eur, aud, nzd, cny, carry trade, hong kong dollar, singapore dollar, taiwan dollar, real weakens, kiwi dollar`,
    1: 'pound, kiwi, cad, peg, devaluation, depreciation, appreciation, resistance, support, price analysis',
    0: `dollar general, dollar tree, million dollar, billion dollar, trillion dollar, million euro, billion euro, million pound,
      billion pound, dollar store, pound of, euro 2024, euro 2028, kiwi fruit, top dollar, dollar shave`,
  },
  macro: {
    3: `federal reserve, fomc, ecb, boe, boj, rba, rbnz, snb, pboc, bank of england, bank of japan, bank of canada,
      european central bank, central bank, interest rate, rate hike, rate cut, rate decision, policy rate, monetary policy,
      inflation, deflation, cpi, ppi, gdp, payroll, nonfarm, job report, jobless claim, unemployment, pmi, retail sale,
      consumer confidence, consumer price, producer price, business climate, industrial production, industrial output,
      factory order, factory output, durable good, trade balance, trade deficit, trade surplus, current account, bond yield,
      treasury yield, recession, labour market, labor market, quantitative easing, trade war, opec, government bond,
      consumer spending, economic growth, economic data, economic outlook, sovereign debt, debt ceiling, ifo, zew, tankan,
      rate rise, gilt, bund`,
    2: `fed, rbi, eurozone, euro zone, euro area, treasury, yield, tariff, economy, economic, fiscal, stimulus, deficit, hawkish,
      dovish, oil, crude, brent, wti, natural gas, commodity, wall street, s p 500, us 500, us tech 100, germany 40, uk 100,
      japan 225, nasdaq, dow jones, dow industrial, stock market, stock future, global market, world stock, asian stock,
      european share, european stock, us stock, dax, ftse, nikkei, hang seng, sensex, nifty, imf, world bank, employment, wage,
      housing start, home sale, home price, jgb, basis point, pce, policymaker, wholesale price, austerity, bailout, export,
      brexit`,
    1: `bond, budget, rate, import, sanction, central banker, governor, manufacturing, service sector, debt, g7, g20,
      geopolitical, risk appetite, sell off, selloff`,
    0: 'fed up, essential oil, olive oil, oil painting, world bank holiday, fed to, cooking oil',
  },
};
