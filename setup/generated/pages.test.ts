/** What pages list is compared with the tables that it comes from. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { linkedPages } from '../../electron/links.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { type Category, categories } from '../../service/convert/catalogue/converter.ts'
import { converters } from '../../service/convert/converters/index.ts'
import { jobFailureCodes } from '../../service/shared/errors.ts'
import { root } from '../root.mjs'

const page = (name: string) => readFileSync(join(root, 'docs', `${name}.md`), 'utf8')

/** The page of a category, and the pages that it leaves some options to. */
const pages: Record<Category, readonly string[]> = {
  images: ['pictures'],
  documents: ['documents', 'pictures'],
  audio: ['audio'],
  video: ['video', 'audio', 'pictures'],
  ebooks: ['ebooks', 'documents'],
  fonts: ['fonts'],
  archives: ['archives'],
}

interface Options {
  [name: string]: { properties?: Options }
}

/** The names of options, those of a group by their path. */
const namesOf = (options: Options, before = ''): string[] =>
  Object.entries(options).flatMap(([name, { properties }]) =>
    properties ? [`${before}${name}`, ...namesOf(properties, `${before}${name}.`)] : [`${before}${name}`],
  )

const optionsOf = (of: readonly Category[]): Set<string> =>
  new Set(
    converters.flatMap(({ category, options }) => (of.includes(category) ? namesOf(options as Options) : [])),
  )

test.each(Object.keys(categories) as Category[])('every option of %s is on a page', category => {
  const text = pages[category].map(page).join('\n')
  const isNamed = (option: string) =>
    new RegExp(`\`(?:[\\w.]+\\.)?${option.split('.').at(-1)}[\`:= ]`).test(text) ||
    text.includes(`\`${option}.`)
  // A switch of a group turns itself on.
  const wanted = [...optionsOf([category])].filter(option => !option.endsWith('.enabled'))
  expect(wanted.filter(option => !isNamed(option))).toEqual([])
})

test('every option with a path that a page names is there', () => {
  const all = optionsOf(Object.keys(categories) as Category[])
  const named = [...new Set(Object.values(pages).flat())].flatMap(name =>
    [...page(name).matchAll(/`([a-z]\w*\.[a-zA-Z.]+)[:`]/g)].map(([, option = '']) => ({ name, option })),
  )
  const groups = new Set([...all].map(option => option.split('.')[0]))
  const inGroup = named.filter(({ option }) => groups.has(option.split('.')[0]))
  expect(inGroup.length).toBeGreaterThan(30)
  expect(inGroup.filter(({ option }) => !all.has(option))).toEqual([])
})

test('docs/api.md has every code of a failed job', () => {
  const [, codes = ''] = /Codes of failed jobs: ([^:]+?)\.\n/.exec(page('api')) ?? []
  const named = [...codes.matchAll(/`([\w.]+)`/g)].map(([, code]) => code)
  expect(new Set(named)).toEqual(new Set(jobFailureCodes))
})

test('versions and links in the pages are those of the code', () => {
  const install = page('install')
  for (const [, name = '', version] of install.matchAll(/(@[\w-]+\/[\w-]+)@([\d.]+\d)/g))
    expect({ name, version }).toEqual({ name, version: { ...packageFile.dependencies }[name as 'sharp'] })
  expect(install).toContain(`ghcr.io/refile/refile:${packageFile.version}`)
  for (const name of linkedPages) expect(page('desktop')).toMatch(new RegExp(`refile://open.*\\b${name}\\b`))
})
