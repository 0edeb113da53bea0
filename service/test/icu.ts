import { IntlMessageFormat } from 'intl-messageformat'

type Elements = ReturnType<IntlMessageFormat['getAst']>

/** Names of the parameters of an ICU message, those of its branches included, in alphabetical order. */
export function namesIn(text: string, language: string): string[] {
  const names = new Set<string>()
  const walk = (elements: Elements) => {
    for (const element of elements) {
      // What is not literal text, a number sign or a tag names its parameter.
      if ('value' in element && element.type >= 1 && element.type <= 6) names.add(element.value)
      if ('options' in element) for (const branch of Object.values(element.options)) walk(branch.value)
    }
  }
  walk(new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).getAst())
  return [...names].sort()
}
