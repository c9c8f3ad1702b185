// Phrases that are never market news: an item whose title contains one of them is off topic.

export const OFF_TOPIC_PHRASES: Readonly<Record<string, string>> = {
  advertising: `sponsored, sponsored content, sponsored post, advertorial, paid post, paid content, partner content,
    in partnership with, promo code, bonus code, discount code, referral code, giveaway, sign up bonus,
    welcome bonus, limited time offer, affiliate, free webinar, join our webinar, best broker, best forex broker, best trading app,
    best crypto wallet, best crypto exchange`,
  price_prediction: `price prediction, price forecast 2027, price forecast 2028, price forecast 2030, next 100x, 100x gain, 1000x,
    100x potential, could 100x, to the moon, presale, pre sale, crypto to buy, coin to buy, token to buy, altcoin to buy,
    cryptos to buy now, top crypto to, the next bitcoin, the next dogecoin, make you a millionaire, make you rich,
    get rich, turn 100 into, turn 1000 into, set to explode, hidden gem`,
  sport: `nba, nfl, mlb, nhl, fifa, uefa, premier league, champions league, la liga, bundesliga, super bowl, world cup, grand slam,
    grand prix, formula one, formula 1, olympic, olympics, paralympic, gold medal, silver medal, gold medalist, gold medallist,
    touchdown, quarterback, midfielder, striker, home run, playoff, cricket, wimbledon, us open tennis, golf tournament,
    ryder cup, boxing match, fantasy football, transfer window`,
  celebrity: `celebrity, red carpet, box office, hollywood, academy award, grammy, golden globe, emmy, reality show, reality tv,
    royal family, royal wedding, royal baby, pop star, movie star, film star, music video, new album, kardashian, netflix series,
    dating rumour, dating rumor, divorce from`,
  leisure: `horoscope, zodiac, lottery, jackpot, powerball, recipe, weight loss, lose weight, skincare, crossword, wordle, quiz,
    travel guide, black friday deal, cyber monday, gift guide, prime day, video game, casino, slot machine, sports betting,
    betting odds, online betting`,
};
