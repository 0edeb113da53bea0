import { execFileSync } from 'node:child_process'
import { cpSync, createWriteStream, globSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { inspect, isOlder } from '../../service/convert/engines/media/ffmpeg/locate.ts'
import { hashOfFile } from '../../service/shared/file-hash.ts'
import { root } from '../root.mjs'
import { temporaryFolder } from '../temporary.ts'
import table from './ffmpeg-builds.json' with { type: 'json' }
import { stepNamed } from './step.ts'

/**
 * The ffmpeg of each package. `digests`, run where there is a network, writes addresses and SHA-256 sums into the table from the
 * checksums that a release of its publisher has; `fetch` puts the one for this machine where packages are made from.
 */

const TABLE = join(import.meta.dirname, 'ffmpeg-builds.json')
/** Where electron-builder takes it from, and the app finds it. */
const PACKED = join(root, 'resources', 'ffmpeg')

/**
 * Of each publisher the folder of a release, the name of its checksums as `sha256sum` writes them, and where its sources are, as the GPL
 * asks for; by `process.platform` and `process.arch` the pattern of the one archive there, and what `digests` finds of it, which is empty
 * until then.
 */
export interface Builds {
  publishers: Record<string, typeof table.publishers.BtbN>
  builds: Record<string, (typeof table.builds)['linux-x64']>
}

export const ffmpegBuilds: Builds = table

/** Targets whose ffmpeg could not be verified. */
export const unverifiedFfmpeg = ({ builds }: Builds): string[] =>
  Object.entries(builds).flatMap(([target, { address, sha256 }]) =>
    address && /^[\da-f]{64}$/.test(sha256) ? [] : [target],
  )

async function download(address: string): Promise<Response> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}.`)
  return answer
}

/** The table with addresses and sums from the publishers' checksums. @throws Error if not exactly one archive of a release matches */
export async function withDigests({ publishers, builds }: Builds): Promise<Builds> {
  const found: Builds = { publishers, builds: {} }
  for (const [target, build] of Object.entries(builds)) {
    const { release = '', checksums = '' } = publishers[build.publisher] ?? {}
    const text = await (await download(release + checksums)).text()
    const lines = text.split('\n').filter(line => new RegExp(build.archive).test(line))
    const [, sha256, name] = /^([\da-f]{64}) [ *](\S+)$/.exec(lines[0] ?? '') ?? []
    if (!sha256 || !name || lines.length > 1)
      throw new Error(`${release}${checksums} lists ${lines.length} archives for ${target}:\n${text}`)
    found.builds[target] = { ...build, address: release + name, sha256 }
  }
  return found
}

/**
 * Puts the ffmpeg of a target into a folder, with its licence and where its sources are.
 * @throws Error if the table has no sum of it, what arrives has another, or its program is older than the table says
 */
export async function fetchFfmpeg(
  target: string,
  folder: string,
  { publishers, builds }: Builds,
): Promise<string> {
  const { address, sha256, version, publisher } = builds[target] ?? {}
  if (!address || !sha256 || !version)
    throw new Error(
      `ffmpeg-builds.json has no digest for ${target}. Run \`node setup/release/ffmpeg.ts digests\` and commit the result.`,
    )
  using temporary = temporaryFolder('ffmpeg')
  const archive = join(temporary.path, basename(address))
  await pipeline(Readable.from((await download(address)).body ?? []), createWriteStream(archive))
  const found = await hashOfFile(archive)
  if (found !== sha256) throw new Error(`${address} has the sum ${found} instead of ${sha256}.`)
  // The tar of Windows and macOS reads ZIP, too; that of Linux, XZ.
  execFileSync('tar', ['-xf', archive, '-C', temporary.path])
  const [program] = globSync('{,*/}{,bin/}ffmpeg{,.exe}', {
    cwd: temporary.path,
    withFileTypes: true,
  }).filter(entry => entry.isFile())
  if (!program) throw new Error(`${address} has no ffmpeg in it.`)
  const path = join(program.parentPath, program.name)
  const told = await inspect(path)
  if (!told || isOlder(told.version, version))
    throw new Error(`${address} is ${told?.version ?? 'no ffmpeg that this machine runs'}, not ${version}.`)
  rmSync(folder, { recursive: true, force: true })
  for (const licence of globSync('{,*/}{LICENSE,COPYING,NOTICE}*', { cwd: temporary.path }))
    cpSync(join(temporary.path, licence), join(folder, basename(licence)))
  cpSync(path, join(folder, basename(path)))
  writeFileSync(
    join(folder, 'SOURCES.txt'),
    `FFmpeg ${told.version}, ${address}, SHA-256 ${sha256}\nSources: ${publishers[publisher ?? '']?.sources}\n`,
  )
  return `FFmpeg ${told.version} for ${target}.`
}

if (import.meta.main)
  await stepNamed({
    digests: async () => {
      writeFileSync(TABLE, `${JSON.stringify(await withDigests(table), null, 2)}\n`)
      return execFileSync('git', ['diff', '--', TABLE], { encoding: 'utf8' }) || 'No digest has changed.'
    },
    fetch: () => fetchFfmpeg(`${process.platform}-${process.arch}`, PACKED, table),
  })
