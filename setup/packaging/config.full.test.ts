import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, matchesGlob, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { appIcon, icons } from '../../electron/paths.ts'
import { languageTags } from '../../languages/tags.ts'
import { root } from '../root.mjs'
import { writePackagingConfig } from './config.ts'

/** electron-builder's own reader, which merges the files, and its check against its schema. */
const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder'))(
  'app-builder-lib/out/util/config/config.js',
)

async function configured(env: NodeJS.ProcessEnv, isComplete = false) {
  const config = await builder.getConfig(root, writePackagingConfig(isComplete, env))
  await builder.validateConfiguration(config, { add() {}, isEnabled: false })
  return config
}

// biome-ignore lint/suspicious/noExplicitAny: its shape is electron-builder's.
let config: any
beforeAll(async () => {
  config = await configured({})
})

const targetsOf = (system: 'mac' | 'linux' | 'win') =>
  config[system].target.map((target: string | { target: string }) =>
    typeof target === 'string' ? target : target.target,
  )

test('AppImages need no FUSE 2, and a Mac has what updates are installed from', () => {
  expect(config.toolsets.appimage).toBe('1.0.3')
  expect(targetsOf('mac')).toEqual(['dmg', 'zip'])
})

test('small packages lack LibreOffice and the fonts for Chinese, and complete ones have names of their own', async () => {
  const fetched = ['@matbee/libreoffice-converter/wasm', '@expo-google-fonts/noto-sans-sc'].map(
    folder => `!node_modules/${folder}/**`,
  )
  const filesOf = ({ files }: { files: (string | { filter: string[] })[] }) =>
    files.flatMap(entry => (typeof entry === 'string' ? entry : entry.filter))
  expect(filesOf(config)).toEqual(expect.arrayContaining(fetched))
  expect([targetsOf('win'), targetsOf('linux')]).toEqual([['nsis'], ['AppImage', 'deb']])
  const complete = await configured({}, true)
  expect(filesOf(complete)).toEqual(filesOf(config).filter(pattern => !fetched.includes(pattern)))
  expect(complete.artifactName).toContain('-complete.')
  expect([complete.win.target, complete.mac.target, complete.linux.target]).toEqual([
    'portable',
    'dmg',
    'tar.gz',
  ])
})

test('Chromium speaks every language of the app', () => {
  expect(config.electronLanguages).toEqual(Object.keys(languageTags))
})

test('nothing that the sources import is left out', () => {
  const places: Record<string, string> = { os: process.platform, arch: process.arch }
  const left = (config.files as (string | { filter: string[] })[])
    .flatMap(entry => (typeof entry === 'string' ? entry : entry.filter))
    .filter(pattern => pattern.startsWith('!'))
    .map(pattern => pattern.slice(1).replaceAll(/\$\{(\w+)\}/g, (_, place) => places[place] ?? ''))
  const imported = new Set<string>()
  for (const file of globSync('{service,cli,languages}/**/*.ts', { cwd: root })) {
    if (/\.test\.|\/contract\//.test(file)) continue
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/^(?:import (?!type )|export )[^'"]*from '([@\w][^':]*)'/gm))
      imported.add(name)
  }
  expect(imported.size).toBeGreaterThan(50)
  expect(imported).toContain('@cantoo/pdf-lib/standard-fonts')
  const missing = [...imported].filter(name => {
    const path = relative(root, fileURLToPath(import.meta.resolve(name))).replaceAll('\\', '/')
    return left.some(pattern => matchesGlob(path, pattern))
  })
  expect(missing).toEqual([])
})

test('the icon that the shell names is shipped', () => {
  const shipped = config.extraResources.find(({ to }: { to: string }) => to === 'icons')
  const name = relative(icons, appIcon).replaceAll('\\', '/')
  expect(existsSync(join(root, 'resources', 'icons', name)), name).toBe(true)
  expect(shipped.filter).toContain(name)
})

test.runIf(process.platform === 'linux')(
  'the command line of Linux has a Node without its table of symbols, which runs and loads libraries',
  () => {
    const { from } = config.linux.extraResources.find(({ to }: { to: string }) => to === 'cli/node')
    const sections = (path: string) => execFileSync('readelf', ['-SW', path], { encoding: 'utf8' })
    expect(sections(process.execPath)).toContain('.symtab')
    expect(sections(from)).not.toContain('.symtab')
    const script = 'require("sharp").versions.vips'
    expect(execFileSync(from, ['-p', script], { cwd: root, encoding: 'utf8' })).toMatch(/^\d+\.\d+/)
  },
)

describe('the signature of a Mac package', () => {
  const entitlementsOf = (mac: { entitlements: string; entitlementsInherit: string }) => {
    expect(mac.entitlementsInherit).toBe(mac.entitlements)
    const content = readFileSync(join(root, mac.entitlements), 'utf8')
    return [...content.matchAll(/<key>com\.apple\.security\.cs\.(.*)<\/key>/g)].map(([, name]) => name)
  }

  test('without a certificate is that of no one, and libraries need none of the same team', () => {
    expect(config.mac).toMatchObject({ identity: '-', publish: null, hardenedRuntime: true })
    expect(entitlementsOf(config.mac)).toEqual(['allow-jit', 'disable-library-validation'])
  })

  test.each(['CSC_LINK', 'CSC_NAME'])(
    'with a certificate of %s is that of its owner, and strict',
    async name => {
      const { mac } = await configured({ [name]: 'certificate' })
      expect(mac).not.toHaveProperty('identity')
      expect(mac).not.toHaveProperty('publish')
      expect(entitlementsOf(mac)).toEqual(['allow-jit'])
    },
  )
})

test('software centres are told about the app', () => {
  const shipped: string = config.deb.fpm.find((word: string) => word.includes('/usr/share/metainfo/'))
  const [path = '', place] = shipped.split('=')
  expect(place).toBe('/usr/share/metainfo/io.github.refile.metainfo.xml')
  execFileSync('appstreamcli', ['validate', '--no-net', path])
  const pictures = readFileSync(path, 'utf8').matchAll(/\/(docs\/images\/[^<]+)</g)
  const names = [...pictures].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) expect(existsSync(join(root, name)), name).toBe(true)
})
