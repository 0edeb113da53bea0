/** Detects the language of a text from its letters and its most frequent words. */

/** How many letters are analysed. */
const SAMPLE_CHARACTERS = 40_000
/** Shorter texts are not analysed. */
const MIN_WORDS = 20
/** Minimum share of known words, and minimum lead over the second language. */
const MIN_SHARE = 0.12
const AHEAD = 1.15

/** The most frequent words of languages that share an alphabet. */
const frequent: Record<string, string> = {
  en: 'the of and to in is that it was for as with his he on be at by this had not are but from or have an they which one you were her all she there would their',
  de: 'der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie',
  fr: "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se le ce il sont avec ou son mais comme d'un l'on aux cette ont été",
  es: 'de la que el en y a los del se las por un para con no una su al lo como más pero sus le ya o este sí porque esta entre cuando muy sin sobre también',
  it: 'di e il la che in un a per è del non una con le si da i dei nel alla della sono come più gli ma anche al lo se ha delle questo nella ed',
  pt: 'de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito nos já',
  nl: 'de van het een en in is dat op te zijn met voor niet aan er die ook als bij door maar om hij uit wordt naar dan nog was over heeft zich',
  sv: 'och i att det som en på är av för med den till inte om ett han var de så men har från vid sig jag hade eller när hon skulle',
  da: 'og i at det er en til af på som den for med de ikke der et har var jeg han men et fra om sig vi kan så ved skal efter blev',
  nb: 'og i det er på som en av til å for at med den de ikke har et var jeg han men fra om seg vi kan så ved skal etter ble hun',
  fi: 'ja on ei että se hän oli mutta ovat kun myös niin joka mitä tai kuin jos ole sen vain olla mukaan hänen ollut siitä sitä nyt minä',
  pl: 'w i na z że się nie do to jest o a jak po od za przez dla ale co był czy tym jego jej tylko oraz było może są jako już',
  cs: 'a v se na je že o s z do i to k ve pro za by ale si po jako které od jeho jsou tak bylo být nebo jen již také podle',
  hu: 'a az és hogy nem is egy ez azt meg csak de volt van mint már még el vagy ki ha ezt kell lehet után amely minden között',
  ro: 'de și în a la cu o nu pe care din să mai un este se ca pentru ce sau au dar fost prin după lui fi era sunt',
  tr: 've bir bu da de için ile olarak çok daha olan gibi ne kadar sonra var ama o en ya her değil mi ki ise olduğu',
  id: 'yang dan di dengan untuk dari dalam ini itu pada adalah tidak oleh akan ke sebagai juga atau telah dapat ada mereka karena saya',
  ru: 'и в не на что я с он как это а по к но его из у за то все так от о бы для было она они же мы были или',
  uk: 'і в не на що з та до як це він у й за а про його для від але я вона так також був було є які або під',
  bg: 'и на да в е за се от не с че са по до той което като ще това си при тя беше но има а към или са',
}

/** Writing systems that are used by one language, or by one far more than by others. */
const scripts: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hiragana}|\p{Script=Katakana}/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Thai}/gu, 'th'],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Armenian}/gu, 'hy'],
  [/\p{Script=Georgian}/gu, 'ka'],
]

const words = Object.entries(frequent).map(
  ([language, list]) => [language, new Set(list.split(' '))] as const,
)

/** The language of a text in BCP 47; empty if unclear. */
export function detectLanguage(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS)
  return byScript(sample) || byWords(sample)
}

function byScript(text: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const counts = scripts.map(([script, language]) => ({ language, count: text.match(script)?.length ?? 0 }))
  const countOf = (language: string) => counts.find(each => each.language === language)!.count
  // Japanese mixes Han with kana; a few kana occur in Chinese as well.
  if (countOf('ja') > countOf('zh') * 0.1 && countOf('ja') + countOf('zh') > letters * 0.3) return 'ja'
  const best = counts.reduce((one, other) => (other.count > one.count ? other : one))
  if (best.count < Math.max(10, letters * 0.5)) return ''
  // Persian has four letters that Arabic lacks, Urdu has more.
  if (best.language === 'ar') {
    if ((text.match(/[ٹڈڑے]/gu)?.length ?? 0) > best.count * 0.02) return 'ur'
    return (text.match(/[پچژگ]/gu)?.length ?? 0) > best.count * 0.01 ? 'fa' : 'ar'
  }
  return best.language
}

function byWords(text: string): string {
  const found = text.toLowerCase().match(/\p{L}+(?:['’]\p{L}+)?/gu) ?? []
  if (found.length < MIN_WORDS) return ''
  const scores = words
    .map(([language, known]) => ({ language, count: found.filter(word => known.has(word)).length }))
    .sort((one, other) => other.count - one.count)
  const [first, second] = scores
  const isClear = first!.count > found.length * MIN_SHARE && first!.count >= second!.count * AHEAD
  return isClear ? first!.language : ''
}
