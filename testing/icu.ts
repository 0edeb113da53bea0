import { IntlMessageFormat } from 'intl-messageformat'

type Elements = ReturnType<IntlMessageFormat['getAst']>

/** Names of the parameters of an ICU message, including those in its branches, in alphabetical order. */
export function namesIn(text: string, language: string): string[] {
  const names = new Set<string>()
  const walk = (elements: Elements) => {
    for (const element of elements) {
      // Every element except literal text, number signs and tags names its parameter.
      if ('value' in element && element.type >= 1 && element.type <= 6) names.add(element.value)
      if ('options' in element) for (const branch of Object.values(element.options)) walk(branch.value)
    }
  }
  walk(new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).getAst())
  return [...names].sort()
}
