import type { Routes } from './schema.ts'

/** A route's parameter takes any one part of an address. */
const patternOf = (url: string) =>
  new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+').replace(/\*$/, '')}$`)

/**
 * Notes the methods of all routes that are added after this call.
 * @returns the methods that the address of a request takes, such as `GET, HEAD`; empty if nothing is there
 */
export function noteMethods(app: Routes): (url: string) => string {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = routes.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() }
    for (const each of [method].flat()) known.methods.add(each)
    routes.set(url, known)
  })
  return url => {
    const path = url.split('?', 1)[0]!
    const found = [...routes.values()].filter(({ pattern }) => pattern.test(path))
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].toSorted().join(', ')
  }
}
