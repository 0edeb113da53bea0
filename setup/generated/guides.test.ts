import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testFull } from '../../testing/describe-full.ts'
import { root } from '../root.mjs'

/** docs/add-a-converter.md, docs/add-an-option.md and docs/add-a-text-format.md. */
const guides = globSync('docs/add-*.md', { cwd: root })

/** The code of a guide: each block in the file that the text last named, either all of it or lines that come after a line of it. */
interface Block {
  file: string
  after: string | undefined
  code: string
}

/** Reads a guide's blocks of TypeScript; `<!-- in FILE after: LINE -->` before one says after which line it comes. */
function blocksOf(guide: string): Block[] {
  const blocks: Block[] = []
  let file = ''
  let before = ''
  for (const part of readFileSync(join(root, guide), 'utf8').split(/(```ts\n[\s\S]*?\n```)/)) {
    const code = /^```ts\n([\s\S]*?)\n```$/.exec(part)?.[1]
    if (code === undefined) file = [...part.matchAll(/`([\w./-]+\.tsx?)`/g)].at(-1)?.[1] ?? file
    const place = /<!-- (?:in (\S+) )?after: (.+) -->\s*$/.exec(before)
    if (code !== undefined) blocks.push({ file: place?.[1] ?? file, after: place?.[2], code })
    before = part
  }
  return blocks
}

/** Writes what a guide makes or changes into a copy of the project. */
function apply({ file, after, code }: Block, folder: string): void {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  if (after === undefined) {
    writeFileSync(path, code)
    return
  }
  const source = readFileSync(path, 'utf8')
  const line = source.split('\n').find(each => each.trim().startsWith(after))
  if (line === undefined) throw new Error(`${file} has no line that begins with ${after}`)
  writeFileSync(
    path,
    source.replace(`${line}\n`, () => `${line}\n${code}\n`),
  )
}

testFull('the code of all guides compiles where they say', () => {
  const folder = mkdtempSync(join(tmpdir(), 'refile-guide-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const part of [
    'service',
    'languages',
    'testing',
    'sdk/src',
    'renderer/messages',
    'package.json',
    'tsconfig.json',
  ])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const blocks = guides.flatMap(blocksOf)
  for (const block of blocks) apply(block, folder)
  const config = {
    extends: './tsconfig.json',
    include: ['**/*.d.ts', ...blocks.map(({ file }) => file)],
    exclude: ['node_modules'],
  }
  writeFileSync(join(folder, 'guide.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', join(folder, 'guide.json')], {
    encoding: 'utf8',
  })
  expect(stdout).toBe('')
})

test('what the code of guides imports is exported there', () => {
  const blocks = guides.flatMap(blocksOf)
  const made = new Map(blocks.map(({ file, code }) => [file, code]))
  const imports = blocks.flatMap(({ file, code }) =>
    [...code.matchAll(/^import (?:type )?\{([^}]+)\} from '(\.[^']+)'/gm)].flatMap(
      ([, names = '', path = '']) =>
        names.split(',').map(name => ({
          name: name.replace(/\btype | as .*/g, '').trim(),
          from: join(dirname(file), path),
        })),
    ),
  )
  expect(imports.length).toBeGreaterThan(10)
  const lost = imports.filter(({ name, from }) => {
    const source = existsSync(join(root, from)) ? readFileSync(join(root, from), 'utf8') : made.get(from)
    const exported = String.raw`export (?:async )?(?:const|function|class|interface|type) ${name}\b|export (?:type )?\{[^}]*\b${name}\b`
    return !new RegExp(exported).test(source ?? '')
  })
  expect(lost).toEqual([])
})

test('every path in the pages leads somewhere', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
  const known = new Set(files)
  const made = new Set(guides.flatMap(guide => blocksOf(guide).map(({ file }) => file)))
  const pages = files.filter(file => file.endsWith('.md') && !/^(CHANGELOG|THIRD)/.test(file))
  const lost = pages.flatMap(page =>
    [
      ...readFileSync(join(root, page), 'utf8').matchAll(
        /`([\w.-]+(?:\/[\w.-]+)+\.(?:tsx?|mjs|sql|ya?ml|md|css)|[\w.-]+\.(?:tsx?|mjs))`/g,
      ),
    ]
      .map(([, path = '']) => path)
      .filter(path => !known.has(path) && !made.has(path) && !known.has(join(dirname(page), path)))
      .filter(path => ![...known, ...made].some(file => file.endsWith(`/${path}`)))
      .map(path => `${page}: ${path}`),
  )
  expect(lost).toEqual([])
})
