import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testFull } from '../../testing/describe-full.ts'
import { misbehaving } from '../../testing/misbehaving.ts'
import { json, testService } from '../../testing/service.ts'
import { readBlobPlace } from '../shared/blob-place.ts'
import { verifyBlobOwnership } from './blob-ownership.ts'
import { diskBlobs } from './disk/blobs.ts'
import type { Stores } from './interfaces/stores.ts'

const s3 = { kind: 's3', bucket: 'my-bucket', prefix: '', pathStyle: false, linkSeconds: 0 }
const places: [string, ReturnType<typeof readBlobPlace> | object][] = [
  ['/mnt/share', { kind: 'folder', path: '/mnt/share' }],
  ['file:///mnt/my%20share', { kind: 'folder', path: '/mnt/my share' }],
  ['s3://my-bucket', s3],
  ['s3://my-bucket/a/b?links=600', { ...s3, prefix: 'a/b/', linkSeconds: 600 }],
  [
    's3://my-bucket?endpoint=http://10.0.0.1:9000&region=eu-west-1&style=path',
    { ...s3, endpoint: 'http://10.0.0.1:9000', region: 'eu-west-1', pathStyle: true },
  ],
  ...[
    ...[
      'relative',
      's3:',
      's3://A_B',
      's3://my-bucket?style=other',
      's3://my-bucket?links=-1',
      'file://host/share',
    ],
    ...[
      's3://key:secret@my-bucket',
      's3://my-bucket?endpoint=9000',
      's3://my-bucket?edpoint=http://a',
      'https://a',
    ],
  ].map((text): [string, undefined] => [text, undefined]),
]

test.skipIf(process.platform === 'win32').each(places)('%s', (text, place) => {
  expect(readBlobPlace(text)).toEqual(place)
})

testFull('a service keeps files in a shared folder, and does not start if that folder has gone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'refile-share-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [home, path] = [join(folder, 'home'), join(folder, 'share')]
  const options = { ...misbehaving, home, blobs: { kind: 'folder', path } as const }
  await expect(testService(options)).rejects.toThrow('there is no folder')
  await mkdir(path)
  const service = await testService(options)
  const { id } = await json<{ id: string }>(service.submit('a.jpg', 'ok', 'webp'))
  expect(await service.finished(id)).toMatchObject({ status: 'Succeeded' })
  await expect.poll(() => readdir(join(path, 'jobs', id))).toEqual(['output-1'])
  expect(await service.filesLeft()).toEqual([])
  await service.close()

  await rename(path, join(folder, 'elsewhere'))
  await mkdir(path)
  await expect(testService(options)).rejects.toThrow('Is the disk connected?')
  expect(await readdir(path)).toEqual([])
})

test('hosts that share a database share one store of files, under whatever name each has mounted it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'refile-stores-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const known = new Map<string, unknown>()
  const settings = {
    get: async (_: string, name: string) => known.get(name),
    put: async (_: string, name: string, value: unknown) => void known.set(name, value),
  } as Stores['settings']
  const start = async (name: string, mount = name) => {
    await mkdir(join(folder, name), { recursive: true })
    const blobs = diskBlobs(join(folder, name))
    await verifyBlobOwnership({ blobs, settings, isShared: true }, { kind: 'folder', path: mount }, 'owner')
  }
  await start('share')
  await start('share', '/mnt/of-another-host')
  await expect(start('empty')).rejects.toThrow('is not where the other hosts of this database keep files')
  expect(await readdir(join(folder, 'empty'))).toEqual([])
})
