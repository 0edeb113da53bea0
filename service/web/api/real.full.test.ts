import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { json, testService } from '../../../testing/service.ts'

/** The service with its real workers, from upload to download. */

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refile-real-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, name)
const magick = (...args: string[]) => execFileSync('/usr/bin/convert', args)
const identify = (path: string) =>
  execFileSync('identify', ['-format', '%m %wx%h\n', path]).toString().trim().split('\n')

async function converted(path: string, name: string, target: string, fields: Record<string, string> = {}) {
  const service = await testService()
  const { id, creditCost } = await json<{ id: string; creditCost: number }>(
    service.submit(name, new Uint8Array(await readFile(path)), target, fields),
  )
  const status = await service.finished(id)
  const download = await service.call(`/convert/job/${id}/download`)
  const bytes = Buffer.from(await download.arrayBuffer())
  return { service, status, creditCost, download, bytes }
}

test('a picture with options', async () => {
  magick('-size', '400x300', 'plasma:red-blue', at('a.png'))
  const options = JSON.stringify({ resize: { enabled: true, preset: 'custom', value: 200 } })
  const { status, bytes, download } = await converted(at('a.png'), 'Träume.png', 'webp', { options })
  expect(status).toMatchObject({
    status: 'Succeeded',
    output: { fileName: 'Träume.webp', contentType: 'image/webp' },
  })
  expect(download.headers.get('content-length')).toBe(String(bytes.length))
  expect(status.metrics.outputBytes).toBe(bytes.length)
  await writeFile(at('out.webp'), bytes)
  expect(identify(at('out.webp'))).toEqual(['WEBP 200x150'])
})

test('several pages are delivered as a ZIP when the target holds only one', async () => {
  magick('-size', '80x60', 'xc:red', '-size', '60x80', 'xc:blue', at('scan.tiff'))
  const { status, bytes } = await converted(at('scan.tiff'), 'scan.tiff', 'jpg')
  expect(status.output).toEqual({
    fileName: 'service-tiff-to-jpg-scan-2-outputs.zip',
    contentType: 'application/zip',
    fileCount: 2,
  })
  await writeFile(at('out.zip'), bytes)
  execFileSync('unzip', ['-q', at('out.zip'), '-d', at('pages')])
  expect(identify(at('pages/scan-1.jpg'))).toEqual(['JPEG 80x60'])
  expect(identify(at('pages/scan-2.jpg'))).toEqual(['JPEG 60x80'])
})

test('audio is priced by the minute', async () => {
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'sine=440:duration=301',
    '-ar',
    '8000',
    at('long.wav'),
  ])
  const { status, creditCost, bytes, service } = await converted(at('long.wav'), 'long.wav', 'mp3')
  expect(creditCost).toBe(2)
  expect(await service.balance()).toBe(498)
  expect(status.status).toBe('Succeeded')
  await writeFile(at('out.mp3'), bytes)
  const seconds = execFileSync('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'format=duration',
    '-of',
    'csv=p=0',
    at('out.mp3'),
  ])
  expect(Number(seconds)).toBeCloseTo(301, 0)
})

test('a damaged file is charged one unit, which is refunded when it fails', async () => {
  await writeFile(
    at('broken.mp4'),
    Buffer.concat([Buffer.from('00000018667479706d703432', 'hex'), Buffer.alloc(5000)]),
  )
  const { status, creditCost, service } = await converted(at('broken.mp4'), 'broken.mp4', 'mp3')
  expect(creditCost).toBe(1)
  expect(status).toMatchObject({ status: 'Failed', error: { code: 'jobs.corrupt_input' } })
  expect(status.error?.detail).not.toContain(tmpdir())
  expect(await service.balance()).toBe(500)
})

test('an archive with a password, which is never shown again', async () => {
  await writeFile(at('secret.txt'), 'hidden')
  execFileSync('7z', ['a', '-psesame', '-mhe=on', at('locked.7z'), at('secret.txt')])
  const failed = await converted(at('locked.7z'), 'locked.7z', 'zip')
  expect(failed.status).toMatchObject({ status: 'Failed', error: { code: 'jobs.encrypted_input' } })
  const options = JSON.stringify({ password: 'sesame' })
  const { status, bytes } = await converted(at('locked.7z'), 'locked.7z', 'zip', { options })
  expect(status).toMatchObject({
    status: 'Succeeded',
    output: { fileName: 'locked.zip', contentType: 'application/zip' },
  })
  expect(JSON.stringify(status)).not.toContain('sesame')
  await writeFile(at('opened.zip'), bytes)
  expect(execFileSync('unzip', ['-p', at('opened.zip')]).toString()).toBe('hidden')
})
