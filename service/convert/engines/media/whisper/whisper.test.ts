import { writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { engineReports } from '../../index.ts'
import { whisper } from './whisper.ts'

const newFile = async (content: Uint8Array) => {
  const path = join(await mkdtemp(join(tmpdir(), 'refile-whisper-')), 'model.bin')
  writeFileSync(path, content)
  return path
}

/** The first numbers of a model, with some of them changed. */
function header(changes: Record<number, number> = {}): Uint8Array {
  const usual = [0x67676d6c, 51_865, 1500, 384, 6, 4, 448, 384, 6, 4, 80, 1, 80, 201]
  return new Uint8Array(Int32Array.from(usual, (value, index) => changes[index] ?? value).buffer)
}

test('the addon is available on this machine', async () => {
  expect(await engineReports.whisper!()).toMatchObject({
    name: 'whisper.cpp',
    version: '1.1.1',
    available: true,
    hint: null,
  })
})

test.each([
  ['an empty file', new Uint8Array()],
  ['text', Buffer.from('This is no model. '.repeat(10))],
  ['another magic number', header({ 0: 0x46554747 })],
  ['a vocabulary of another size', header({ 1: 1_000_000 })],
  ['negative layers', header({ 5: -1 })],
  ['endless layers', header({ 9: 2 ** 30 })],
  ['no heads', header({ 4: 0 })],
  ['another number of bands', header({ 10: 81 })],
  ['another table of filters', header({ 12: 2 ** 30 })],
  ['a header that is cut off', header().subarray(0, 50)],
])('%s is refused as a model', async (_, content) => {
  await expect(whisper(await newFile(content), 'Test', 1)).rejects.toMatchObject({
    code: 'transcription.model_not_installed',
    detail: expect.stringContaining('damaged'),
  })
})

test('a missing model is refused', async () => {
  await expect(whisper(join(tmpdir(), 'no such model'), 'Test', 1)).rejects.toMatchObject({
    code: 'transcription.model_not_installed',
  })
})
