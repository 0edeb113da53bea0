import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import packageFile from '../../package.json' with { type: 'json' }
import { wingetSchemas } from '../../testing/winget-schema.ts'
import { builder } from '../packaging/command-line.ts'
import { shippedPackages } from '../shipped.ts'
import { unverified } from './check-lock.ts'
import { checkVersion } from './check-version.ts'
import { verifyFeeds } from './feed.ts'
import { manifestsOf } from './manifests.ts'
import { mergePackages } from './merge.ts'
import { notesOf } from './notes.ts'
import { signingFor } from './package.ts'
import { checkEngines, checkSandbox } from './service.ts'
import { checkSizes } from './size-budget.ts'
import { readChangelog, step } from './step.ts'
import { writeSums } from './sums.ts'
import { tryUpdates } from './update-test.ts'

const ajv = new Ajv({ allErrors: true })
/** What winget would refuse of a manifest. */
const refusals = (type: string, manifest: object) =>
  ajv.validate(wingetSchemas[type]!, manifest) ? '' : ajv.errorsText()

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'refile-release-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const changelog =
  '# Changes\n\n## [Unreleased]\n\n- x\n\n## [1.2.0] - 2026-11-23\n\n### Added\n\n- A thing.\n\n## [1.1.0] - 2026-01-01\n\n- Old.\n'

describe('the version', () => {
  test('a tag, package.json and a dated section of the changelog have to agree', () => {
    expect(() => checkVersion('refs/tags/v1.2.0', '1.2.0', changelog)).not.toThrow()
    expect(() => checkVersion('refs/heads/main', '1.2.0', changelog)).not.toThrow()
    expect(() => checkVersion('refs/tags/v1.2.1', '1.2.0', changelog)).toThrow('The tag is v1.2.1')
    expect(() => checkVersion('refs/tags/v1.3.0', '1.3.0', changelog)).toThrow('no section of 1.3.0')
    expect(() => checkVersion('', '1.2.0', changelog.replace(' - 2026-11-23', ''))).toThrow('no date')
    expect(() => checkVersion('', '1.2.0', '## [1.2.0] - 2026-11-23\n\n## [1.1.0]')).toThrow('empty')
  })

  test('that of package.json is in the changelog', () => {
    expect(() => checkVersion('', packageFile.version, readChangelog())).not.toThrow()
  })

  test('the notes are its section, and how to verify', () => {
    const notes = notesOf(changelog, '1.2.0')
    expect(notes).toMatch(/^### Added\n\n- A thing\.\n/)
    expect(notes).not.toMatch(/Old|Unreleased/)
    expect(notes).toContain('/blob/v1.2.0/docs/install.md')
  })
})

const feedFor = (names: string[], into = folder, feedName = 'latest.yml') => {
  mkdirSync(into, { recursive: true })
  const files = names.map(name => {
    const content = Buffer.from(`content of ${name}`)
    writeFileSync(join(into, name), content)
    return { url: name, sha512: createHash('sha512').update(content).digest('base64'), size: content.length }
  })
  const [first] = files
  const feed = { version: '1.2.0', files, path: first!.url, sha512: first!.sha512, releaseDate: '2026-11-23' }
  writeFileSync(join(into, feedName), stringify(feed))
}

describe('feeds', () => {
  test('offer only what is there, unchanged', async () => {
    feedFor(['a.exe'])
    expect(await verifyFeeds(folder, '1.2.0')).toEqual(['a.exe'])
    await expect(verifyFeeds(folder, '1.2.1')).rejects.toThrow('offers 1.2.0')
    writeFileSync(join(folder, 'a.exe'), 'Content of a.exe')
    await expect(verifyFeeds(folder, '1.2.0')).rejects.toThrow('a.exe is not the file')
    writeFileSync(join(folder, 'a.exe'), 'short')
    await expect(verifyFeeds(folder, '1.2.0')).rejects.toThrow('has 16 bytes, but it has 5')
    rmSync(join(folder, 'a.exe'))
    await expect(verifyFeeds(folder, '1.2.0')).rejects.toThrow('missing')
    rmSync(join(folder, 'latest.yml'))
    await expect(verifyFeeds(folder, '1.2.0')).rejects.toThrow('no feed')
  })

  test('list the blocks of what is offered, not of what was signed afterwards', async () => {
    feedFor(['a.exe'])
    await builder('out/targets/blockmap/blockmap.js').buildBlockMap(
      join(folder, 'a.exe'),
      'gzip',
      join(folder, 'a.exe.blockmap'),
    )
    expect(await verifyFeeds(folder, '1.2.0')).toEqual(['a.exe'])
    renameSync(join(folder, 'a.exe.blockmap'), join(folder, 'b.exe.blockmap'))
    feedFor(['b.exe'])
    await expect(verifyFeeds(folder, '1.2.0')).rejects.toThrow('b.exe.blockmap has not the blocks')
  })

  test('of two processors become one, and the updater takes each', async () => {
    feedFor(['Refile-1.2.0-win-x64.exe'], join(folder, 'from', 'x64'))
    feedFor(['Refile-1.2.0-win-arm64.exe'], join(folder, 'from', 'arm64'))
    const to = join(folder, 'to')
    mergePackages(join(folder, 'from'), to)
    expect(await verifyFeeds(to, '1.2.0')).toEqual(['Refile-1.2.0-win-arm64.exe', 'Refile-1.2.0-win-x64.exe'])
    const feed = join(folder, 'from', 'x64', 'latest.yml')
    const text = readFileSync(feed, 'utf8')
    writeFileSync(feed, text.replace('1.2.0', '1.3.0'))
    expect(() => mergePackages(join(folder, 'from'), join(folder, 'mixed'))).toThrow('1.2.0 and 1.3.0')
    writeFileSync(feed, text)
    writeFileSync(join(folder, 'from', 'x64', 'Refile-1.2.0-win-arm64.exe'), 'again')
    expect(() => mergePackages(join(folder, 'from'), join(folder, 'again'))).toThrow('built twice')
  })

  test('electron-updater takes an update, and refuses what is not the file that the feed offers', async () => {
    const suffix = process.arch === 'x64' ? '' : `-${process.arch}`
    feedFor(['Refile-1.2.0-linux-amd64.deb'], folder, `latest-linux${suffix}.yml`)
    expect(await tryUpdates(folder)).toEqual(['deb'])
    writeFileSync(join(folder, 'Refile-1.2.0-linux-amd64.deb'), 'content of Refile-1.2.0-linux-amd64.DEB')
    await expect(tryUpdates(folder)).rejects.toMatchObject({ code: 'ERR_CHECKSUM_MISMATCH' })
  })
})

test('sums are what sha256sum computes, of every file', async () => {
  for (const name of ['b.deb', 'a b.exe']) writeFileSync(join(folder, name), name)
  await writeSums(folder)
  const check = () =>
    execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  expect(check()).toBe('a b.exe: OK\nb.deb: OK\n')
  writeFileSync(join(folder, 'b.deb'), 'other')
  expect(check).toThrow()
})

test('a step that throws fails the workflow, with its message in a line', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => said.mockRestore())
  await step(() => Promise.reject(new Error('no')))
  expect([process.exitCode, said.mock.calls]).toEqual([1, [['no\n']]])
  process.exitCode = undefined
})

test('a package beyond the budget is refused', () => {
  writeFileSync(join(folder, 'Refile-1.deb'), Buffer.alloc(2_000_000))
  expect(checkSizes(folder, { small: 2, complete: 1 })).toBe('Refile-1.deb 2.0 MB')
  expect(() => checkSizes(folder, { small: 1, complete: 9 })).toThrow(
    'More than 1 MB, or 9 if complete: Refile-1.deb 2.0 MB.',
  )
  renameSync(join(folder, 'Refile-1.deb'), join(folder, 'Refile-1-complete.deb'))
  expect(() => checkSizes(folder, { small: 9, complete: 1 })).toThrow('Refile-1-complete.deb')
})

test('shipped packages without a hash are named', () => {
  const shipped = { version: '1.0.0', licence: 'MIT', folder: 'node_modules/a' }
  const list = [
    { ...shipped, name: 'a', integrity: 'sha512-x' },
    { ...shipped, name: 'b', integrity: undefined },
  ]
  expect(unverified(list)).toEqual(['b@1.0.0'])
})

test('every native package that is shipped has a build for each system and processor', () => {
  const lock = readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lock) as {
    packages: Record<string, { os?: string[]; cpu?: string[]; libc?: string[] }>
  }
  const families = shippedPackages().flatMap(({ name }) => (name.endsWith('-*') ? [name.slice(0, -1)] : []))
  expect(families.length).toBeGreaterThan(5)
  const missing = families.flatMap(family =>
    ['win32', 'darwin', 'linux'].flatMap(os =>
      ['x64', 'arm64'].flatMap(cpu => {
        const found = Object.entries(packages).some(
          ([folder, locked]) =>
            folder.includes(`node_modules/${family}`) &&
            locked.os?.includes(os) &&
            locked.cpu?.includes(cpu) &&
            !locked.libc?.includes('musl'),
        )
        return found ? [] : [`${family}${os}-${cpu}`]
      }),
    ),
  )
  // Windows has it within @img/sharp-win32-*.
  expect(missing.filter(name => !name.startsWith('@img/sharp-libvips-win32'))).toEqual([])
})

test('an engine that an installed app lacks is named', () => {
  const { version } = packageFile
  const engines = [
    { name: 'sharp', available: true, hint: null },
    { name: 'ffmpeg', available: false, hint: 'install it' },
  ]
  expect(() => checkEngines({ version, engines }, ['sharp'])).not.toThrow()
  expect(() => checkEngines({ version, engines }, ['sharp', 'ffmpeg', 'pdfium'])).toThrow('ffmpeg, pdfium')
  expect(() => checkEngines({ version: '0.0.0', engines }, [])).toThrow('0.0.0 answers')
})

test('on Linux workers have to be confined in all ways', () => {
  const all = { files: true, systemCalls: true, network: true }
  expect(checkSandbox({ sandbox: all }, 'linux')).toBe('workers are confined')
  expect(() => checkSandbox({ sandbox: { ...all, files: false } }, 'linux')).toThrow('not confined: files')
  expect(() => checkSandbox({ sandbox: { ...all, systemCalls: null } }, 'linux')).toThrow('systemCalls')
  expect(checkSandbox({ sandbox: { ...all, files: false } }, 'win32')).toContain('not confined: files')
})

test('it is signed with all secrets, not with some, and without any nothing is looked for', () => {
  const azure = [
    'TENANT_ID',
    'CLIENT_ID',
    'CLIENT_SECRET',
    'SIGNING_ENDPOINT',
    'SIGNING_ACCOUNT',
    'SIGNING_PROFILE',
    'SIGNING_PUBLISHER',
  ]
  const all = Object.fromEntries(azure.map(name => [`AZURE_${name}`, 'x']))
  expect(signingFor('win32', all).args).toContain('-c.forceCodeSigning=true')
  expect(() => signingFor('win32', { ...all, AZURE_CLIENT_ID: '' })).toThrow('AZURE_CLIENT_ID')
  for (const platform of ['win32', 'darwin', 'linux'] as const)
    expect(signingFor(platform, {})).toEqual({ args: [], env: { CSC_IDENTITY_AUTO_DISCOVERY: 'false' } })
})

describe('manifests', () => {
  const suffixes = [
    'win-x64.exe',
    'win-arm64.exe',
    'mac-x64.dmg',
    'mac-arm64.dmg',
    'linux-amd64.deb',
    'linux-arm64.deb',
    'linux-x64-complete.tar.gz',
    'linux-arm64-complete.tar.gz',
  ]
  const hash = (suffix: string) => createHash('sha256').update(suffix).digest('hex')
  const sums = suffixes.map(suffix => `${hash(suffix)}  Refile-1.2.0-${suffix}\n`).join('')
  const made = manifestsOf('1.2.0', sums)
  const base = `${packageFile.homepage}/releases/download/v1.2.0/Refile-1.2.0-`

  test('a release without one of the packages has none', () => {
    expect(() => manifestsOf('1.2.0', sums.replace('mac-arm64', 'mac-arm65'))).toThrow(
      'no Refile-1.2.0-mac-arm64.dmg',
    )
  })

  test('no gap is left', () => {
    expect(Object.keys(made)).toHaveLength(7)
    expect(Object.values(made).join('\n')).not.toMatch(/<\w/)
  })

  test('winget: three files with what its schema requires', () => {
    const read = (name: string) => parse(made[`winget/Refile.Refile${name}.yaml`]!)
    const common = { PackageIdentifier: 'Refile.Refile', PackageVersion: '1.2.0', ManifestVersion: '1.10.0' }
    expect(read('')).toEqual({ ...common, DefaultLocale: 'en-US', ManifestType: 'version' })
    expect(read('.installer')).toMatchObject({
      ...common,
      ManifestType: 'installer',
      InstallerType: 'nullsoft',
      Commands: ['refile'],
      Installers: ['x64', 'arm64'].map(arch => ({
        Architecture: arch,
        InstallerUrl: `${base}win-${arch}.exe`,
        InstallerSha256: hash(`win-${arch}.exe`),
      })),
    })
    const locale = read('.locale.en-US')
    expect(locale).toMatchObject({
      ...common,
      ManifestType: 'defaultLocale',
      PackageLocale: 'en-US',
      PackageName: 'Refile',
      License: 'MIT',
    })
    // Without any of its fields, or with one that it does not know, a manifest is refused.
    for (const manifest of [read(''), read('.installer'), locale]) {
      const { ManifestType: type } = manifest
      for (const field of Object.keys(manifest)) {
        const { [field]: _, ...less } = manifest
        expect(refusals(type, less), `${type} ${field}`).toContain('required property')
      }
      expect(refusals(type, manifest)).toBe('')
      expect(refusals(type, { ...manifest, Pubisher: 'x' })).toContain('additional properties')
    }
    expect(refusals('defaultLocale', { ...locale, ShortDescription: 'x'.repeat(257) })).toContain('256')
  })

  test('Homebrew: both processors from one address', () => {
    const cask = made['homebrew/refile.rb']!
    expect(cask).toContain(`sha256 arm:   "${hash('mac-arm64.dmg')}"`)
    expect(cask).toContain(`intel: "${hash('mac-x64.dmg')}"`)
    const url = /url "(.*)"/.exec(cask)?.[1]?.replaceAll('#{version}', '1.2.0')
    expect(['arm64', 'x64'].map(arch => url?.replace('#{arch}', arch))).toEqual(
      ['arm64', 'x64'].map(arch => `${base}mac-${arch}.dmg`),
    )
    expect(cask).toContain('app "Refile.app"')
    expect(cask).toContain('binary "#{appdir}/Refile.app/Contents/Resources/cli/refile"')
  })

  test('Scoop: an address, a hash and a program for each processor', () => {
    const scoop = JSON.parse(made['scoop/refile.json']!)
    expect(scoop).toMatchObject({
      version: '1.2.0',
      license: 'MIT',
      homepage: packageFile.homepage,
      bin: [['resources\\cli\\refile.cmd', 'refile']],
      shortcuts: [['Refile.exe', 'Refile']],
    })
    for (const [key, arch] of [
      ['64bit', 'x64'],
      ['arm64', 'arm64'],
    ] as const)
      expect(scoop.architecture[key]).toMatchObject({
        url: `${base}win-${arch}.exe#/dl.7z`,
        hash: hash(`win-${arch}.exe`),
      })
  })

  test('AUR: bash reads the fields', () => {
    const script = join(folder, 'PKGBUILD')
    writeFileSync(script, made['aur/PKGBUILD']!)
    const fields = [
      'pkgname',
      'pkgver',
      'pkgrel',
      'license',
      'arch[*]',
      'source_x86_64',
      'sha256sums_x86_64',
      'source_aarch64',
      'sha256sums_aarch64',
    ]
    const printed = execFileSync(
      'bash',
      ['-euc', `source ${script}; ${fields.map(field => `echo "\${${field}}"`).join('; ')}`],
      { encoding: 'utf8' },
    )
    expect(printed.trim().split('\n')).toEqual([
      'refile-bin',
      '1.2.0',
      '1',
      'MIT',
      'x86_64 aarch64',
      `${base}linux-amd64.deb`,
      hash('linux-amd64.deb'),
      `${base}linux-arm64.deb`,
      hash('linux-arm64.deb'),
    ])
  })

  test('Flatpak: an archive with its hash for each processor', () => {
    const { id, command, modules } = parse(made['flatpak/io.github.refile.yml']!)
    expect({ id, command }).toEqual({ id: 'io.github.refile', command: 'refile' })
    const scripts = modules[0].sources.filter((source: { type: string }) => source.type === 'script')
    for (const { 'dest-filename': name } of scripts)
      expect(modules[0]['build-commands']).toContain(`install -D ${name} /app/bin/${name.replace('.sh', '')}`)
    expect(scripts.map(({ commands }: { commands: string[] }) => commands)).toEqual([
      ['exec zypak-wrapper /app/refile/refile "$@"'],
      ['REFILE_WINDOW= exec /app/refile/resources/cli/refile "$@"'],
    ])
    const sources = modules[0].sources.filter((source: { type: string }) => source.type === 'archive')
    expect(sources).toEqual(
      [
        ['x86_64', 'x64'],
        ['aarch64', 'arm64'],
      ].map(([arch, name]) => ({
        type: 'archive',
        'only-arches': [arch],
        url: `${base}linux-${name}-complete.tar.gz`,
        sha256: hash(`linux-${name}-complete.tar.gz`),
      })),
    )
  })
})
