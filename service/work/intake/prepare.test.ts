import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Catalogue } from '../../convert/catalogue/catalogue.ts'
import { converters } from '../../convert/converters/index.ts'
import type { FileRecord } from '../../store/interfaces/files.ts'
import { sourceAt } from '../../store/interfaces/source.ts'
import { type ConversionParts, type ConversionRequest, prepareStaged } from './prepare.ts'
import { checkUnchanged } from './staged.ts'

const parts = {
  catalogue: new Catalogue(converters),
  config: { maxFileBytes: 2 ** 34, rebuildDocuments: false },
}

const staged = (known: Partial<FileRecord>): FileRecord => ({
  id: 'file',
  accountId: 'owner',
  name: 'talk.mp3',
  relativePath: null,
  bytes: 3_000_000,
  format: 'mp3',
  measure: {},
  problem: null,
  source: { kind: 'blob' },
  addedAt: 0,
  originalPath: null,
  modifiedAt: null,
  submitted: false,
  createdAt: 0,
  ...known,
})

const request = (targetFormat: string, more: Partial<ConversionRequest> = {}): ConversionRequest => ({
  accountId: 'owner',
  origin: 'app',
  targetFormat,
  options: {},
  ...more,
})

test('a staged file is priced by what was measured at upload, and its job gets the stored findings', () => {
  const file = staged({ measure: { minutes: 11, probe: { streams: 1 } } })
  expect(prepareStaged(parts, file, request('wav'))).toMatchObject({
    job: 'audio.mp3-to-wav',
    inputFormat: 'mp3',
    fileId: 'file',
    measure: { minutes: 11, probe: { streams: 1 } },
    creditCost: 3,
  })
  expect(prepareStaged(parts, staged({}), request('wav'))).toMatchObject({ measure: {}, creditCost: 1 })
})

test('the owner has all documents rebuilt from pixels, whatever a request says', () => {
  const distrustful = { ...parts, config: { ...parts.config, rebuildDocuments: true } }
  const file = staged({ name: 'a.docx', format: 'docx' })
  const asked = (parts: ConversionParts, target: string, options = {}) =>
    prepareStaged(parts, file, request(target, { options })).options
  expect(asked(parts, 'pdf')).toMatchObject({ rebuild: false })
  expect(asked(distrustful, 'pdf', { rebuild: false, tagged: false })).toMatchObject({
    rebuild: true,
    tagged: false,
  })
  expect(asked(distrustful, 'odt')).not.toHaveProperty('rebuild')
})

test.each([
  [
    'a file that nothing is known of',
    staged({ name: 'notes.xyz', format: null }),
    request('txt'),
    'convert.unsupported_source_format',
  ],
  ['a target it cannot have', staged({}), request('png'), 'convert.unsupported_format_pair'],
  [
    'options it does not have',
    staged({}),
    request('wav', { options: { nonsense: 1 } }),
    'convert.invalid_options',
  ],
  [
    'another format than it has',
    staged({}),
    request('wav', { sourceFormat: 'flac' }),
    'request.invalid_extension',
  ],
  ['more bytes than are taken', staged({ bytes: 2 ** 33 }), request('wav'), 'request.file_too_large'],
])('%s is refused without examining the file', (_, file, wanted, code) => {
  expect(() => prepareStaged(parts, file, wanted)).toThrow(expect.objectContaining({ code }))
})

test('a file that is read in place is refused once it has been replaced or deleted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'refile-staged-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'talk.mp3')
  await writeFile(path, 'sound')
  const file = staged({ source: await sourceAt(path) })
  const refusal = { code: 'request.no_files', detail: expect.stringContaining('"talk.mp3" was changed') }
  await checkUnchanged(file)
  await utimes(path, 1, 1)
  await expect(checkUnchanged(file)).rejects.toMatchObject(refusal)
  await rm(path)
  await expect(checkUnchanged(file)).rejects.toMatchObject(refusal)
})
