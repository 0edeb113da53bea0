import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeStubElectron } from '../../electron/test/stub-electron.ts'
import { ensureBuild } from '../build.ts'
import { billOfMaterials } from '../sbom.ts'
import { verifyFeeds } from './feed.ts'
import { manifestsOf } from './manifests.ts'
import { mergePackages } from './merge.ts'
import { packageRelease } from './package.ts'
import { checkSizes } from './size-budget.ts'
import { version } from './step.ts'
import { writeSums } from './sums.ts'
import { tryUpdates } from './update-test.ts'
import { verifyLinux } from './verify-packages.ts'

/**
 * Makes a release as the workflow does, as far as that needs neither GitHub nor another system: packages with a stub of Electron's
 * program and the shell alone (electron/packaging.full.test.ts looks at the content), their feed, sums, bill of materials, manifests and an update.
 */

let folder: string
let release: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'refile-release-'))
  release = join(folder, 'release')
  await ensureBuild()
  const stub = join(folder, 'electron')
  writeStubElectron(stub)
  const built = join(folder, 'packages', 'linux')
  packageRelease([
    ...['--linux', 'deb', 'tar.gz', `-c.electronDist=${stub}`, `-c.directories.output=${built}`],
    ...['package.json', 'dist/electron/**', '!node_modules/**'].map(pattern => `-c.files=${pattern}`),
  ])
  const kept = join(folder, 'kept', 'linux')
  for (const name of globSync(['Refile-*', 'latest*.yml'], { cwd: built }))
    cpSync(join(built, name), join(kept, name))
  mergePackages(join(folder, 'kept'), release)
  writeFileSync(join(release, 'refile.cdx.json'), JSON.stringify(billOfMaterials()))
  await writeSums(release)
}, 300_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const debs = () => globSync('*.deb', { cwd: release }).map(name => join(release, name))

test('the packages are within their budget, and Debian accepts them', () => {
  expect(checkSizes(release, 450)).toMatch(/\.deb .*\.tar\.gz /)
  expect(debs()).toHaveLength(1)
  verifyLinux(debs())
})

test('the feed offers the Debian package, and an installed one knows where the feed is', async () => {
  expect(await verifyFeeds(release, version)).toEqual(debs().map(path => path.slice(release.length + 1)))
  const content = join(folder, 'content')
  execFileSync('dpkg-deb', ['-x', debs()[0]!, content])
  const config = readFileSync(join(content, 'opt', 'Refile', 'resources', 'app-update.yml'), 'utf8')
  expect(config).toMatch(/^provider: github$/m)
  expect(config).toMatch(/^owner: refile$/m)
})

test('an older version takes the update, and refuses a changed one', async () => {
  expect(await tryUpdates(release)).toEqual(['deb'])
})

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
    'linux-arm64.tar.gz',
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
