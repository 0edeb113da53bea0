import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appImageTools, writeStubElectron } from '../../electron/test/stub-electron.ts'
import { DebianSystem } from '../../testing/debian-system.ts'
import { ensureBuild } from '../build.ts'
import { billOfMaterials } from '../generated/sbom.ts'
import { root } from '../root.mjs'
import { verifyFeeds } from './feed.ts'
import { manifestsOf } from './manifests.ts'
import { mergePackages } from './merge.ts'
import { packageRelease } from './package.ts'
import { checkSizes } from './size-budget.ts'
import { version } from './step.ts'
import { writeSums } from './sums.ts'
import { downloadUpdate, PREVIOUS, tryUpdates } from './update-test.ts'
import { verifyLinux } from './verify-packages.ts'

/** Packages of the build alone, without the packages that it uses, and compressed quickly: either would take minutes. */
function pack(output: string, ...args: string[]): void {
  process.env.ELECTRON_BUILDER_COMPRESSION_LEVEL = '1'
  packageRelease([
    '-c.deb.compression=gz',
    ...['--linux', ...args, `-c.electronDist=${join(folder, 'electron')}`, `-c.directories.output=${output}`],
    ...['package.json', 'dist/**', '!**/*.map', '!node_modules/**'].map(pattern => `-c.files=${pattern}`),
  ])
}

/** Every file below a folder with a sum of its content. */
const contentOf = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .map(path => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]),
  )

/**
 * Makes a release as the workflow does, as far as that needs neither GitHub nor another system: packages with a stub of Electron's
 * program and the shell alone (electron/packaging.full.test.ts looks at the content), their feed, sums, bill of materials, manifests and an update.
 */

/** Packaging compresses a quarter of a gigabyte, which a busy machine may take many minutes for. */
const PATIENCE_MS = 1_800_000

let folder: string
let release: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'refile-release-'))
  release = join(folder, 'release')
  await ensureBuild()
  const stub = join(folder, 'electron')
  writeStubElectron(stub)
  const built = join(folder, 'packages', 'linux')
  process.env.APPIMAGE_TOOLS_PATH = appImageTools(folder)
  // Below Vitest electron-builder links files instead of copying them, and none can then replace another.
  delete process.env.VITEST
  pack(built, 'deb', 'AppImage')
  pack(built, 'tar.gz', '--complete')
  const kept = join(folder, 'kept', 'linux')
  for (const name of globSync(['Refile-*', 'latest*.yml'], { cwd: built }))
    cpSync(join(built, name), join(kept, name))
  mergePackages(join(folder, 'kept'), release)
  writeFileSync(join(release, 'refile.cdx.json'), JSON.stringify(billOfMaterials()))
  await writeSums(release)
}, PATIENCE_MS)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const debs = () => globSync('*.deb', { cwd: release }).map(name => join(release, name))

test(
  'the packages are within their budget, and Debian accepts them',
  () => {
    expect(checkSizes(release)).toMatch(/\.deb .*\.tar\.gz /)
    expect(debs()).toHaveLength(1)
    verifyLinux(debs())
  },
  PATIENCE_MS,
)

test('the feed offers the Debian package, and an installed one knows where the feed is', async () => {
  expect(await verifyFeeds(release, version)).toEqual(
    globSync(['*.AppImage', '*.deb'], { cwd: release }).toSorted(),
  )
  const content = join(folder, 'content')
  execFileSync('dpkg-deb', ['-x', debs()[0]!, content])
  const config = readFileSync(join(content, 'opt', 'Refile', 'resources', 'app-update.yml'), 'utf8')
  expect(config).toMatch(/^provider: github$/m)
  expect(config).toMatch(/^owner: refile$/m)
})

test('an older version takes the update, and refuses a changed one', async () => {
  expect(await tryUpdates(release)).toEqual(['deb', 'AppImage'])
})

test(
  'an AppImage of the version before fetches the blocks that have changed',
  async () => {
    const older = join(folder, 'older-image')
    pack(older, 'AppImage', `-c.extraMetadata.version=${PREVIOUS}`)
    const [old = ''] = globSync('*.AppImage', { cwd: older })
    const [image = ''] = globSync('*.AppImage', { cwd: release })
    const cache = mkdtempSync(join(folder, 'cache-'))
    const { path, bytes } = await downloadUpdate(release, 'AppImage', cache, join(older, old))
    expect(readFileSync(path).equals(readFileSync(join(release, image)))).toBe(true)
    console.info(`${bytes} of ${statSync(path).size} bytes were fetched.`)
    expect(bytes).toBeLessThan(statSync(path).size / 2)
  },
  PATIENCE_MS,
)

test.skipIf(process.getuid?.() !== 0)(
  'an update of an installed version leaves the data folder as it was',
  async () => {
    const older = join(folder, 'older')
    pack(older, 'deb', `-c.extraMetadata.version=${PREVIOUS}`)
    const system = new DebianSystem(join(folder, 'system'))
    const [first = ''] = globSync('*.deb', { cwd: older })
    system.install(join(older, first))
    expect(system.version('refile')).toBe(PREVIOUS)
    // What a whole package has in this place.
    symlinkSync(
      join(root, 'node_modules'),
      system.path('opt/Refile/resources/app.asar.unpacked/node_modules'),
    )

    const home = system.path('root')
    const launcher = system.path('opt/Refile/resources/cli/refile')
    const env = { PATH: '/usr/bin:/bin', HOME: home }
    const refile = (...args: string[]) =>
      spawnSync(launcher, args, { cwd: home, encoding: 'utf8', env }).stdout
    // A job that succeeds is removed with its result.
    writeFileSync(join(home, 'a.png'), 'no picture')
    const key = refile('key', 'create', 'kept').trim()
    refile('convert', 'a.png', '--to', 'webp')
    const jobs = refile('jobs', '--json')
    expect(JSON.parse(jobs)).toMatchObject({ status: 'Failed', error: { code: 'jobs.corrupt_input' } })

    const before = contentOf(home)
    const names = [...before.keys()].map(path => path.slice(path.lastIndexOf('/') + 1))
    expect(names).toEqual(expect.arrayContaining(['refile.sqlite', 'secrets.key']))
    const program = readFileSync(system.path('opt/Refile/resources/app.asar'))
    system.install((await downloadUpdate(release, 'deb', mkdtempSync(join(folder, 'cache-')))).path)
    expect(system.version('refile')).toBe(version)
    expect(readFileSync(system.path('opt/Refile/resources/app.asar')).equals(program)).toBe(false)
    expect(readlinkSync(system.path('etc/alternatives/refile'))).toBe('/opt/Refile/resources/cli/refile')
    expect(contentOf(home)).toEqual(before)

    // The new version knows what the old one did.
    expect(refile('jobs', '--json')).toBe(jobs)
    const [, id] = /^rf_([0-9a-f]{16})/.exec(key) ?? []
    expect(refile('key', 'list')).toContain(`${id}  kept`)
    const kept = contentOf(home)
    system.remove('refile')
    expect(existsSync(launcher)).toBe(false)
    expect(contentOf(home)).toEqual(kept)
  },
  PATIENCE_MS,
)

test('sha256sum agrees with the sums, also of the bill of materials', () => {
  const listed = execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: release, encoding: 'utf8' })
  const names = globSync(['Refile-*', 'latest*.yml', 'refile.cdx.json'], { cwd: release })
  expect(listed.trim().split('\n').toSorted()).toEqual(names.map(name => `${name}: OK`).toSorted())
})

test('the manifests name the packages under the names that they have', () => {
  const others = [
    'win-x64.exe',
    'win-arm64.exe',
    'mac-x64.dmg',
    'mac-arm64.dmg',
    'linux-arm64.deb',
    'linux-arm64-complete.tar.gz',
  ]
  const here = globSync(['*.deb', '*.tar.gz'], { cwd: release })
  const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8')
  const made = others
    .map(suffix => `Refile-${version}-${suffix}`)
    .filter(name => !here.includes(name))
    .map(name => `${'0'.repeat(64)}  ${name}\n`)
  const manifests = manifestsOf(version, sums + made.join(''))
  const all = Object.values(manifests).join('\n')
  for (const name of here) expect(all).toContain(name)
})
