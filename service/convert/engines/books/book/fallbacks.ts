import type { Resource } from './model.ts'

/** Maximum length of a chain of fallbacks, which may lead back to its start. */
const MAX_FALLBACKS = 20

/** A file of a book followed by its fallbacks in order: https://www.w3.org/TR/epub-33/#sec-foreign-resources */
export function* fallbacksOf(href: string, resources: ReadonlyMap<string, Resource>): Generator<Resource> {
  let resource = resources.get(href)
  for (let steps = 0; resource && steps < MAX_FALLBACKS; steps++) {
    yield resource
    resource = resource.fallback === undefined ? undefined : resources.get(resource.fallback)
  }
}
