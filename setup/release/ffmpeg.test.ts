import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ffmpeg } from '../../service/convert/engines/media/ffmpeg/locate.ts'
import { testFull } from '../../testing/describe-full.ts'
import { type Builds, fetchFfmpeg, ffmpegBuilds, unverifiedFfmpeg, withDigests } from './ffmpeg.ts'

/** A publisher's release on this machine, with an archive like those of BtbN whose program is the ffmpeg that is found here. */
let folder: string
let server: Server
let builds: Builds
const NAME = 'ffmpeg-n4.0-9-gabc-linux64-gpl-4.0.tar.xz'

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'refile-publisher-'))
  const inside = join(folder, 'ffmpeg-n4.0-9-gabc')
  mkdirSync(join(inside, 'bin'), { recursive: true })
  writeFileSync(join(inside, 'bin', 'ffmpeg'), `#!/bin/sh\nexec ${(await ffmpeg()).path} "$@"\n`, {
    mode: 0o755,
  })
  writeFileSync(join(inside, 'LICENSE.txt'), 'GNU GENERAL PUBLIC LICENSE')
  execFileSync('tar', ['-C', folder, '-cJf', join(folder, NAME), 'ffmpeg-n4.0-9-gabc'])
  const sums = [NAME, 'ffmpeg-n4.0-9-gabc-linux64-gpl-shared-4.0.tar.xz'].map(
    name =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, NAME)))
        .digest('hex')}  ${name}\n`,
  )
  writeFileSync(join(folder, 'checksums.sha256'), sums.join(''))
  server = createServer((request, response) => {
    const path = join(folder, request.url ?? '')
    if (existsSync(path)) response.end(readFileSync(path))
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const release = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  builds = {
    publishers: { someone: { release, checksums: 'checksums.sha256', sources: 'https://sources.example' } },
    builds: {
      here: { publisher: 'someone', archive: '-linux64-gpl-4', version: '4.0', address: '', sha256: '' },
    },
  }
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})
const put = () => join(folder, 'resources')
const changed = (
  change: Partial<Builds['builds'][string]>,
  { publishers, builds: { here } }: Builds,
): Builds => ({
  publishers,
  builds: { here: { ...here!, ...change } },
})

testFull('without digests nothing is fetched, and with those of the publisher what they name', async () => {
  expect(unverifiedFfmpeg(builds)).toEqual(['here'])
  await expect(fetchFfmpeg('here', put(), builds)).rejects.toThrow('no digest for here')
  const table = await withDigests(builds)
  expect(await withDigests(table)).toEqual(table)
  expect(unverifiedFfmpeg(table)).toEqual([])
  expect(await fetchFfmpeg('here', put(), table)).toContain('for here')
  expect(readdirSync(put()).toSorted()).toEqual(['LICENSE.txt', 'SOURCES.txt', 'ffmpeg'])
  expect(readFileSync(join(put(), 'SOURCES.txt'), 'utf8')).toContain('https://sources.example')
  expect(execFileSync(join(put(), 'ffmpeg'), ['-version']).toString()).toMatch(/^ffmpeg version/)
})

test('what differs from its digest, is older or is not told apart by name is refused', async () => {
  const table = await withDigests(builds)
  const fetched = (change: object) => fetchFfmpeg('here', put(), changed(change, table))
  await expect(fetched({ sha256: '0'.repeat(64) })).rejects.toThrow('instead of 000')
  await expect(fetched({ version: '99.0' })).rejects.toThrow('not 99.0')
  await expect(fetched({ address: `${table.builds.here?.address}x` })).rejects.toThrow('answers 404')
  await expect(withDigests(changed({ archive: 'linux64' }, builds))).rejects.toThrow(
    'lists 2 archives for here',
  )
})

test('every package has a build without the flaw of 2026, of each system and processor', () => {
  const { publishers, builds } = ffmpegBuilds
  const targets = ['win32', 'darwin', 'linux'].flatMap(system => [`${system}-x64`, `${system}-arm64`])
  expect(Object.keys(builds).toSorted()).toEqual(targets.toSorted())
  for (const [target, { publisher, address, version }] of Object.entries(builds)) {
    expect(publishers[publisher]?.sources, target).toMatch(/^https:/)
    expect(Number.parseFloat(version), target).toBeGreaterThanOrEqual(8.1)
    if (address)
      expect(address).toMatch(new RegExp(`${publishers[publisher]?.release}.*${builds[target]?.archive}`))
  }
})
