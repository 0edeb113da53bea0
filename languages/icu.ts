import { IntlMessageFormat } from 'intl-messageformat'

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
    formats.set(id, format)
  }
  return String(format.format(parameters))
}
