import { IntlMessageFormat } from 'intl-messageformat'
import { isLanguage, languageTags } from './tags.ts'

type Elements = ReturnType<IntlMessageFormat['getAst']>

/** Kinds of elements in the syntax tree of the library. */
const LITERAL = 0
const ARGUMENT = 1

/** Unicode's isolates: what stands between them has a direction of its own. */
const [FIRST_STRONG, END] = ['\u2068', '\u2069']

/**
 * The same text with what is inserted isolated, for languages from right to left: the slashes of a path, or the suffix of a
 * name, would otherwise change places.
 */
const isolated = (elements: Elements): Elements =>
  elements.flatMap((element): Elements => {
    if (element.type === ARGUMENT)
      return [{ type: LITERAL, value: FIRST_STRONG }, element, { type: LITERAL, value: END }]
    if (!('options' in element)) return [element]
    const options = Object.entries(element.options).map(([key, option]) => [
      key,
      { ...option, value: isolated(option.value) },
    ])
    return [{ ...element, options: Object.fromEntries(options) }]
  })

const isRightToLeft = (language: string): boolean =>
  isLanguage(language) && languageTags[language].direction === 'rtl'

/** A path or a name that stands among other words without a text of its own, isolated in the same languages. */
export const isolate = (language: string, value: string): string =>
  isRightToLeft(language) ? `${FIRST_STRONG}${value}${END}` : value

const formats = new Map<string, IntlMessageFormat>()

/**
 * A text in ICU message syntax with its parameters filled in (https://unicode-org.github.io/icu/userguide/format_parse/messages/).
 * @throws {Error} if the text has a parameter that is not given
 */
export function formatIcu(
  language: string,
  text: string,
  parameters: Readonly<Record<string, string | number>>,
): string {
  const id = `${language} ${text}`
  let format = formats.get(id)
  if (!format) {
    format = new IntlMessageFormat(text, language, undefined, { ignoreTag: true })
    if (isRightToLeft(language)) format = new IntlMessageFormat(isolated(format.getAst()), language)
    formats.set(id, format)
  }
  return String(format.format(parameters))
}
