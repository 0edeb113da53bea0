import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'vite'

/** One file importing another; both are paths from the project's root, with `/`. */
export interface Import {
  from: string
  to: string
  /** `types`: gone at run time; `code`: loaded with the importing file; `lazy`: loaded by `import()`. */
  kind: 'types' | 'code' | 'lazy'
}

/** Folders that only tests use. */
const testFolders = ['test', 'contract']

const isSource = (path: string) =>
  /\.tsx?$/.test(path) &&
  !/\.test\.tsx?$/.test(path) &&
  !testFolders.some(folder => path.split('/').includes(folder))

const folders = [
  'renderer',
  'electron',
  'languages',
  'service',
  'cli',
  'sdk',
  'setup',
  'bench',
  'e2e',
  'testing/fixtures',
  'testing/servers',
]

/** The imports between our own files, without tests and their helpers. */
export function readImports(root: string): Import[] {
  return folders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map(name => posix.join(folder, name.replaceAll('\\', '/')))
      .filter(isSource)
      .flatMap(path => importsOf(path, readFileSync(join(root, path), 'utf8'))),
  )
}

/** The imports of one file. */
export function importsOf(from: string, source: string): Import[] {
  const { module, errors } = parseSync(from, source)
  if (errors.length > 0) throw new Error(`${from}: ${errors[0]?.message}`)
  const found = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      // An import without names is there for its side effects.
      kind:
        entries.length > 0 && entries.every(entry => entry.isType) ? ('types' as const) : ('code' as const),
      name: moduleRequest.value,
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.map(({ moduleRequest, isType }) => ({
        kind: isType ? ('types' as const) : ('code' as const),
        name: moduleRequest?.value ?? '',
      })),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) => ({
      kind: 'lazy' as const,
      name: source.slice(moduleRequest.start + 1, moduleRequest.end - 1),
    })),
  ]
  return found
    .filter(({ name }) => name.startsWith('.'))
    .map(({ kind, name }) => ({ from, to: posix.join(posix.dirname(from), name), kind }))
}
