import { expect, test } from 'vitest'
import type { StagedFile, TargetChoice } from '../../service/app/types.ts'
import { perMinute } from '../../service/catalogue/costing.ts'
import { flag, group } from '../../service/catalogue/options.ts'
import { chosenTarget, quoteOf, sortEntries, variantOf } from './groups.ts'
import { batchesOf, planOf } from './plan.ts'
import type { Entry } from './store.ts'

const choice = (target: string, over: Partial<TargetChoice> = {}): TargetChoice => ({
  target,
  label: target.toUpperCase(),
  job: `image.jpg-to-${target}`,
  category: 'images',
  credits: 1,
  variants: null,
  missing: false,
  maxFileSizeBytes: 1000,
  ...over,
})

const entry = (key: string, over: Partial<StagedFile> = {}): Entry => ({
  key,
  name: `${key}.jpg`,
  bytes: over.bytes ?? 100,
  phase: 'staged',
  sent: 1,
  problem: null,
  staged: {
    id: `id-${key}`,
    name: `${key}.jpg`,
    bytes: 100,
    format: 'jpg',
    formatLabel: 'JPEG',
    targets: [choice('ico'), choice('webp'), choice('avif', { missing: true })],
    relativePath: null,
    pages: null,
    minutes: null,
    addedAt: 1,
    problem: null,
    ...over,
  },
})

const only = (entries: Entry[]) => {
  const [first] = sortEntries(entries).groups
  if (!first) throw new Error('no group')
  return first
}

test('files of one format form a group; unknown ones and those on their way do not', () => {
  const sorted = sortEntries([
    entry('a'),
    entry('b', { format: 'pdf', formatLabel: 'PDF' }),
    entry('c'),
    entry('d', { format: null, targets: [] }),
    { ...entry('e'), staged: null, phase: 'sending' },
  ])
  expect(sorted.groups.map(each => [each.label, each.files.length])).toEqual([
    ['JPEG', 2],
    ['PDF', 1],
  ])
  expect(sorted.unknown.map(file => file.key)).toEqual(['d'])
})

test('popular targets come first', () => {
  expect(only([entry('a')]).targets.map(each => each.target)).toEqual(['webp', 'avif', 'ico'])
})

test('a target that is not on this computer is never chosen', () => {
  const group = only([entry('a')])
  expect(chosenTarget(group, 'avif', undefined)).toBeNull()
  expect(chosenTarget(group, undefined, 'ico')?.target).toBe('ico')
  expect(chosenTarget(group, 'webp', 'ico')?.target).toBe('webp')
  const single = only([entry('a', { targets: [choice('webp'), choice('avif', { missing: true })] })])
  expect(chosenTarget(single, undefined, undefined)?.target).toBe('webp')
})

test('files that are too large stay out of the price', () => {
  const quote = quoteOf(only([entry('a'), entry('big', { bytes: 5000 })]), 'webp', null)
  expect(quote.credits).toBe(1)
  expect([...quote.tooLarge]).toEqual(['big'])
})

test('the variant the options choose sets the price', () => {
  const variants = {
    optionKey: 'transcription.mode',
    label: 'Mode',
    default: 'fast',
    variants: { fast: { cost: 2, label: 'Fast' }, quality: { cost: 5, label: 'Quality' } },
  }
  const { costVariants } = perMinute(1, { variants })
  expect(variantOf(costVariants, {})).toBe('fast')
  expect(variantOf(costVariants, { transcription: { mode: 'quality' } })).toBe('quality')
  const talk = entry('a', { targets: [choice('txt', { credits: 20, variants: { fast: 20, quality: 50 } })] })
  expect(quoteOf(only([talk]), 'txt', 'quality').credits).toBe(50)
})

test('each group becomes one batch with only the changed options', () => {
  const properties = { metadata: group('Metadata', { strip: flag('Strip', { default: true }) }) }
  const plan = planOf(
    sortEntries([
      entry('a'),
      entry('big', { bytes: 5000 }),
      entry('b'),
      entry('c', { format: 'pdf', formatLabel: 'PDF', targets: [choice('png'), choice('md')] }),
      entry('d', { format: 'gif', formatLabel: 'GIF', targets: [choice('webp')] }),
    ]),
    {
      targets: { jpg: 'webp' },
      options: { 'jpg>webp': { metadata: { strip: false } } },
      schemas: { 'jpg>webp': { type: 'object', properties, additionalProperties: false } },
    },
    {},
    null,
  )
  expect(plan).toMatchObject({ files: 3, credits: 3, undecided: 1, hasProblems: false })
  const destination = { kind: 'folder', path: '/home/me/Pictures', keepFolders: true } as const
  expect(batchesOf(plan, destination)).toEqual([
    {
      format: 'jpg',
      keys: ['a', 'b'],
      request: {
        fileIds: ['id-a', 'id-b'],
        targetFormat: 'webp',
        options: { metadata: { strip: false } },
        destination,
      },
    },
    { format: 'gif', keys: ['d'], request: { fileIds: ['id-d'], targetFormat: 'webp', destination } },
  ])
})
