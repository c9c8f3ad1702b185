// The words that messages are made of, by meaning: English, Spanish, Portuguese, German, French, Russian, Arabic, Indonesian.
// A phrase has up to four words. Words that are not here say nothing to the parser.
import { foldWord } from './folded-text.ts';

/**
 * `now`: a market order. `stop`: a stop order after a direction, otherwise a stop loss. `at`: a link between a label and its price, and
 * the label of an entry if there is none. `link`: may stand between a label and its price. `open`: a target without a price. `none`: no
 * price. The last seven make a message unclear.
 */
export type Meaning =
  | 'buy'
  | 'sell'
  | 'now'
  | 'limit'
  | 'stop'
  | 'stop-loss'
  | 'target'
  | 'entry'
  | 'at'
  | 'link'
  | 'pips'
  | 'points'
  | 'open'
  | 'none'
  | 'to'
  | 'approximate'
  | 'range'
  | 'doubt'
  | 'report'
  | 'negation'
  | 'deadline'
  | 'trailing'
  | 'other-market'
  | 'stop-limit';

const WORDS: Readonly<Record<Meaning, string>> = {
  buy: `buy, buying, long, longs, buy order, go long, going long,
    compra, comprar, compre, compren, compramos, compro, comprando, largo, en largo, compras,
    kaufen, kauf, kaufe, kaufsignal, kauforder,
    achat, acheter, achete, achetez, achetons, a l'achat,
    покупка, покупки, купить, покупаем, покупать, покупай, покупайте, куплю, бай, лонг, в лонг,
    شراء, الشراء, اشتري, نشتري, اشتر, لونج, لونق,
    beli, membeli, belilah`,
  sell: `sell, selling, short, shorts, sell order, go short, going short,
    venta, vender, vende, vendan, vendemos, vendo, vendiendo, corto, en corto, ventas, venda, vendas,
    verkaufen, verkauf, verkaufe, verkaufssignal, verkaufsorder,
    vente, vendre, vends, vendez, vendons, a la vente,
    продажа, продажи, продать, продаем, продавать, продавай, продавайте, продаю, селл, шорт, в шорт,
    بيع, البيع, نبيع, بع, شورت,
    jual, menjual, juallah`,
  now: `now, right now, market, at market, by market, market order, market price, at market price, current price, current market price,
    market execution, instant execution, immediately, cmp, mkt, asap,
    ahora, ahora mismo, a mercado, al mercado, precio de mercado, orden de mercado,
    agora, agora mesmo, preco de mercado, ordem a mercado,
    jetzt, sofort, markt, marktpreis, zum marktpreis, marktorder,
    maintenant, au marche, au prix du marche, tout de suite, prix du marche,
    сейчас, по рынку, рынок, с рынка, маркет, по текущей, по текущей цене,
    الان, السوق, من السوق, بسعر السوق, سعر السوق, ماركت, فورا, حالا,
    sekarang, pasar, harga pasar, harga sekarang`,
  limit: `limit, limits, limit order, limite, limitada, limitee, лимит, лимитка, лимитный, ليمت, ليميت, معلق ليمت`,
  stop: `stop, stopp, стоп, ستوب, استوب`,
  'stop-loss': `sl, s l, stl, stoploss, stop loss, stop los, stoplos, stoploss price, stop loss price, stop price, stoplost, stop lost, initial stop,
    stop de perdida, stop de perdidas, parada de perdidas, detener perdidas, limite de perdidas,
    stop de perda, parar perda, limite de perda, perda maxima,
    stopkurs, stopp loss, verlustbegrenzung, verluststopp,
    arret de perte, stop perte, stop de perte,
    сл, стоп лосс, стоплосс, стоп лос, с л,
    وقف الخساره, وقف خساره, وقف, ايقاف الخساره, ايقاف خساره, ستوب لوز, استوب لوز, الاستوب, الستوب, ستوب لوس, استوب لوس,
    stop rugi, batas rugi, batas kerugian`,
  target: `tp, t p, tps, takeprofit, take profit, take profits, take profit price, take profit target, take profit targets, target, targets, tgt, tgts,
    profit target, profit targets, target price, take proft, takeprofits, price target, price targets,
    objetivo, objetivos, toma de ganancias, tomar ganancias, toma de beneficios, tomar beneficios, toma ganancias,
    alvo, alvos, realizar lucro, lucro alvo, meta, metas,
    ziel, ziele, kursziel, kursziele, gewinnziel, gewinnziele, gewinnmitnahme,
    objectif, objectifs, prise de profit, prise de benefice, cible, cibles,
    тп, т п, тр, тейк, тейки, тейк профит, тейкпрофит, цель, цели,
    هدف, الهدف, اهداف, الاهداف, جني الارباح, جني ارباح, جني الربح, اخذ الربح, تيك بروفت, التارجت, تارجت, تارقت,
    ambil untung, target harga, ambil profit`,
  entry: `entry, entries, enter, entry price, entry point, entry level, open price, opening price, ep, buy price, sell price, entry at, limit price,
    entrada, precio de entrada, punto de entrada, entrar, preco de entrada, ponto de entrada,
    einstieg, einstiegspreis, einstiegskurs, eroffnung,
    entree, prix d'entree, point d'entree, entrer,
    вход, точка входа, цена входа, входим, открытие, цена открытия,
    دخول, الدخول, سعر الدخول, نقطه الدخول, نقطه دخول,
    masuk, harga masuk, titik masuk, harga entry`,
  at: `at, @, price, prices, level, from, precio, preco, preis, kurs, prix, цена, от, по, سعر, بسعر, السعر, من, عند, على, harga, di, pada, di harga,
    a, en, em, bei, zu, auf, ab, a partir de, на, в`,
  link: `is, set, placed, place, the, our, your, my, and, then, with, de, el, la, los, las, o, os, as, der, die, das, den, le, les, du, des, d, l, es, ist, est, и, y, e, und, et, dan, و,
    usd, short term, long term, shortterm, longterm, mid term, medium term, intraday, scalp, scalping, swing, pair, symbol, asset, instrument, type, action, direction, side, order, pending, trade,
    in, signal, alert, setup, first, second, third, fourth, fifth, final, last,
    primer, primero, segundo, tercer, tercero, primeiro, terceiro, erstes, zweites, drittes, premier, deuxieme, troisieme, первая, первый, вторая, второй, третья, третий,
    اول, الاول, ثاني, الثاني, ثالث, الثالث, رابع, الرابع, pertama, kedua, ketiga,
    main, hard, tight, all, zum, mit, avec, con, com, с, dengan`,
  pips: `pip, pips, pipsos, пипс, пипсов, пипсы, пипса, пипсах, نقطه بيب, بيب, بيبس`,
  points: `point, points, pts, pt, puntos, punto, pontos, ponto, punkte, punkten, пункт, пункта, пунктов, пункты, نقطه, نقاط, poin, ticks, tick`,
  open: `open, opened, hold, holding, runner, runners, run, let it run, let run, free, trail, moon, infinity, unlimited, manual, manually, vip, premium, vip only, abierto, aberto, offen, ouvert, открыт, открытый, открыто, открытая, مفتوح, مفتوحه, terbuka, later, soon, tba, tbd`,
  none: `no, without, none, no sl, no stop, no stop loss, no stoploss, without sl, without stop, without stop loss, sin, sin stop, sin sl, sem, sem stop, ohne, ohne stop, sans, sans stop, без, без стопа, بدون, tanpa, tanpa sl`,
  to: `to, till, until, up to, hasta, ate, bis, jusqu'a, до, الي, hingga, sampai, s d`,
  approximate: `around, about, near, approx, approximately, close to, roughly, circa, ca, almost, above, below, over, under, higher, lower, or better,
    cerca de, alrededor de, cerca, aproximadamente, encima de, por encima de, debajo de, por debajo de, acima, acima de, abaixo, abaixo de, em torno de, perto de,
    etwa, ungefahr, rund, uber, unter, oberhalb, unterhalb, environ, autour de, vers, pres de, au dessus de, en dessous de,
    около, примерно, район, в районе, выше, ниже, تقريبا, حوالي, قرب, فوق, تحت, اعلي, اسفل, sekitar, kisaran, dekat, diatas, di atas, dibawah, di bawah`,
  range: `zone, range, area, between, zones, zona, zona de, rango, entre, faixa, area de, bereich, zwischen, spanne, zone de, fourchette, зона, зоне, зоны, диапазон, между, منطقه, نطاق, بين, المنطقه, antara, rentang`,
  doubt: `maybe, may be, perhaps, possibly, possible, potential, potentially, might, may, could, would, should, probably, likely, think, thinking, guess, believe, opinion,
    imo, imho, expect, expecting, hope, hopefully, consider, considering, if, when, once, unless, whenever, wait, waiting, watch, watching, watchlist, looking, looks, look,
    thoughts, anyone, ready, get ready, prepare, be ready, upcoming, coming soon, next signal, or, either, example, sample, demo, breakout, breaks, break, retest, confirmation, confirm, conditional, hedge, or else, bias,
    quiza, quizas, tal vez, talvez, puede, puede que, podria, posible, posiblemente, probablemente, creo, opino, parece, si, cuando, esperar, esperando, espero, esperamos, preparados, atentos, ojo,
    pode, podera, acho, possivel, possivelmente, provavelmente, se, quando, aguardar, aguardem, aguardando,
    vielleicht, eventuell, evtl, konnte, moglich, moglicherweise, wahrscheinlich, wenn, falls, glaube, denke, warten, abwarten, beobachten,
    peut etre, peut, pourrait, probablement, quand, lorsque, pense, crois, attendre, attendez, attendons, surveiller,
    может, может быть, возможно, наверное, вероятно, если, когда, думаю, ждем, ждать, жду, кажется, наблюдаем, скорее всего, предположительно,
    ربما, يمكن, ممكن, قد, اذا, لو, عندما, انتظر, ننتظر, انتظار, اعتقد, محتمل, متوقع, مراقبه,
    mungkin, bisa, jika, kalau, bila, saat, tunggu, menunggu, sepertinya, kayaknya, barangkali, siap siap`,
  report: `hit, hits, hitted, reached, reach, reaching, done, achieved, smashed, crushed, closed, closing, close, running, secured, secure, booked, book, banked, result, results, recap, report, summary,
    won, win, winner, lost, loss, losses, lose, stopped, stopped out, stop out, in profit, in profits, in loss, pips profit, profit pips, profit so far, floating, filled, triggered, activated, active, update, updated, move, moved, modify, breakeven, break even, be, yesterday, last week, previous, cancel, cancelled, canceled, delete, deleted, ignore, expired, missed, invalid, took, taken, was, were, bought, sold, had, been, congrats, congratulations,
    alcanzado, alcanzada, alcanzo, tocado, toco, logrado, cerrado, cerrada, cerramos, cerrar, ganado, perdido, resultado, resultados, ganancia, en ganancia, en profit, cancelado, cancelada, cancelar, ayer, compramos ayer, activado, activada,
    atingido, atingida, atingiu, batido, bateu, fechado, fechada, fechar, fechamos, ganho, no lucro, em lucro, lucro, prejuizo, ontem, ativado, ativada,
    erreicht, getroffen, geschlossen, schliessen, gewonnen, verloren, ergebnis, ergebnisse, gewinn, im gewinn, verlust, ausgestoppt, gestern, storniert, aktiviert, gekauft, verkauft,
    atteint, atteinte, touche, touchee, ferme, fermee, fermer, fermez, gagne, perdu, resultat, resultats, en gain, gain, perte, hier, annule, annulee, annuler, declenche,
    достигнут, достигнута, достигли, взят, взяли, взята, сработал, сработала, закрыт, закрыта, закрыли, закрываем, закрыть, закрылись, результат, результаты, прибыль, в прибыли, профит, плюс, в плюсе, убыток, минус, вчера, отмена, отменен, отменяем, выбило, купили, продали, безубыток, бу,
    تحقق, تحققت, تم, ضرب, وصل, وصول, وصلنا, اغلاق, اغلق, مغلق, نتيجه, نتائج, ربح, ارباح, خساره, امس, الغاء, ملغي, حقق,
    tercapai, kena, tersentuh, tembus, ditutup, tutup, selesai, hasil, untung, rugi, cuan, profit pips, kemarin, batal, dibatalkan, sudah`,
  negation: `not, dont, don't, do not, never, avoid, isn't, cant, can't, cannot, shouldn't, stay away, nao, nunca, nicht, kein, keine, nie, pas, jamais, не, нет, нельзя, لا, ليس, لم, لن, غير, jangan, tidak, bukan, nein`,
  deadline: `valid until, valid till, valid for, valid, expires, expiry, expiration, expire, good till, good until, validity, gtc, gtd, valido hasta, valido ate, valida hasta, vence, gultig bis, gultig, valable jusqu'a, valable, действителен до, действует до, действителен, صالح حتي, صالح, berlaku sampai, berlaku hingga, berlaku`,
  trailing: `trailing, trailing stop, trail stop, trailing sl, trail sl, trailing stop loss, трейлинг, трейлинг стоп, nachziehen, suiveur`,
  'other-market': `perp, perps, perpetual, swap, future, futures, fut, usdt, usdc, busd, fdusd, call, put, calls, puts, option, options, strike, etf, cfd option, фьючерс, фьючерсы, futuro, futuros, binary`,
  'stop-limit': `stop limit, stoplimit, buy stop limit, sell stop limit`,
};

export const MAX_PHRASE = 4;

/** By the words of the phrase, each after a space but the first. */
export const LEXICON: ReadonlyMap<string, Meaning> = new Map(
  (Object.keys(WORDS) as Meaning[]).flatMap((meaning) =>
    WORDS[meaning].split(',').map((phrase) => [foldWord(phrase.trim()).replace(/[\s'.-]+/g, ' '), meaning] as const),
  ),
);
