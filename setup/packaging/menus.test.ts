import { execFileSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Catalogue } from '../../service/convert/catalogue/catalogue.ts'
import { converters } from '../../service/convert/converters/index.ts'
import { testFull } from '../../testing/describe-full.ts'
import { dolphinMenus, type MenuFile, nautilusScripts } from './linux.ts'
import { sourceFormats } from './sources.ts'
import { nsisInclude } from './windows.ts'

vi.mock('../../electron/paths.ts', () => ({
  get resourcesFolder() {
    return process.env.REFILE_TEST_RESOURCES
  },
}))

const folder = mkdtempSync(join(tmpdir(), 'refile-menus-'))
afterAll(() => rmSync(folder, { recursive: true }))

const sources = sourceFormats()
const catalogue = new Catalogue(converters)

describe('formats by file suffix', () => {
  test('are those that the catalogue converts from, each suffix once, with targets it can become', () => {
    const suffixes = sources.flatMap(source => source.suffixes)
    expect(suffixes).toEqual([...new Set(suffixes)])
    expect(suffixes).toEqual(
      expect.arrayContaining(['jpg', 'jpeg', 'docx', 'arw', 'mp3', 'epub', 'woff2', '7z', 'tgz']),
    )
    for (const { suffixes, targets } of sources) {
      for (const target of targets)
        expect(catalogue.resolve(suffixes[0]!, target.key), `${suffixes[0]} to ${target.key}`).toMatchObject({
          kind: 'found',
        })
    }
  })

  test('leave out suffixes that mostly belong to other programs', () => {
    const suffixes = new Set(sources.flatMap(source => source.suffixes))
    for (const suffix of ['json', 'raw', 'pic']) expect(suffixes).not.toContain(suffix)
  })
})

describe('the Windows menu', () => {
  const script = nsisInclude(sources)

  testFull('is a script that the installer’s compiler accepts without a warning', () => {
    writeFileSync(join(folder, 'menus.nsh'), script)
    writeFileSync(
      join(folder, 'test.nsi'),
      [
        'Unicode true',
        // Of electron-builder's script, which includes this one.
        'Var installMode',
        'Name Refile',
        `OutFile ${join(folder, 'test.exe')}`,
        'InstallDir $LOCALAPPDATA\\Refile',
        `!include ${join(folder, 'menus.nsh')}`,
        'Section\nStrCpy $installMode CurrentUser\n!insertmacro customInstall\nWriteUninstaller $INSTDIR\\u.exe\nSectionEnd',
        'Section Uninstall\n!insertmacro customUnInstall\nSectionEnd',
      ].join('\n'),
    )
    execFileSync('makensis', ['-V2', '-WX', join(folder, 'test.nsi')])
    expect(statSync(join(folder, 'test.exe')).size).toBeGreaterThan(20_000)
  })

  test('puts the command line on the PATH of who installs it, and takes it away', () => {
    const [, shim] = /FileOpen \$0 "([^"]+)" w/.exec(script) ?? []
    // On the PATH of every person since Windows 10.
    expect(shim).toBe('$LOCALAPPDATA\\Microsoft\\WindowsApps\\refile.cmd')
    expect(script.slice(script.indexOf('!macro customUnInstall'))).toContain(`Delete "${shim}"`)
    // From there to where electron-builder's installer puts the app.
    expect(script).toContain('StrCpy $1 "%~dp0..\\..\\Programs\\Refile"')
    expect(script).toContain(`FileWrite $0 '@"$1\\resources\\cli\\refile.cmd" %*$\\r$\\n'`)
  })

  test('starts the program with a target the command line knows, and leaves nothing behind', () => {
    expect(script).toContain('"$\\"$INSTDIR\\Refile.exe$\\" --to=png $\\"%1$\\""')
    const added = [...script.matchAll(/WriteRegStr SHCTX "([^"]+)"/g)].map(([, key]) => key!)
    const removed = [...script.matchAll(/DeleteRegKey SHCTX "([^"]+)"/g)].map(([, key]) => key!)
    expect(added.filter(key => !removed.some(gone => key === gone || key.startsWith(`${gone}\\`)))).toEqual(
      [],
    )
    // Windows shows no more entries in a submenu.
    for (const { targets } of sources) expect(targets.length).toBeLessThanOrEqual(16)
  })
})

test('the Quick Action of macOS consists of property lists that another parser accepts', () => {
  const services = join(import.meta.dirname, '../../resources/services')
  const names = globSync('Convert with Refile.workflow/Contents/*', { cwd: services })
  expect(names).toHaveLength(2)
  for (const path of names) {
    const content = readFileSync(join(services, path))
    const read = 'import plistlib, sys, json; json.dump(plistlib.loads(sys.stdin.buffer.read()), sys.stdout)'
    const values = JSON.parse(execFileSync('python3', ['-c', read], { input: content, encoding: 'utf8' }))
    if (path.endsWith('document.wflow'))
      expect(values.actions[0].action.ActionParameters.COMMAND_STRING).toBe('open -b io.github.refile "$@"')
  }
})

describe('the menus of Linux desktops', () => {
  const home = join(folder, "home of 100% 'me'")
  const data = join(home, 'data')
  const program = join(home, 'a "b" program')
  const resources = join(folder, 'resources')

  beforeEach(() => {
    const write = (menu: string, files: readonly MenuFile[]) => {
      for (const { path, content } of files) {
        mkdirSync(dirname(join(resources, 'file-manager', menu, path)), { recursive: true })
        writeFileSync(join(resources, 'file-manager', menu, path), content)
      }
    }
    write('nautilus', nautilusScripts(sources))
    write('kio', dolphinMenus(sources))
    vi.stubEnv('REFILE_TEST_RESOURCES', resources)
    vi.stubEnv('XDG_DATA_HOME', data)
    vi.stubEnv('APPIMAGE', program)
    mkdirSync(join(data, 'kio', 'servicemenus'), { recursive: true })
    writeFileSync(join(data, 'kio', 'servicemenus', 'mine.desktop'), 'mine')
    writeFileSync(program, '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 })
    return () => vi.unstubAllEnvs()
  })

  test.runIf(process.platform === 'linux')(
    'start the program with the target and the selection, and can be removed again',
    async () => {
      const { hasMenus, setMenus } = await import('../../electron/file-manager/install.ts')
      expect(hasMenus()).toBe(false)
      setMenus(true)
      setMenus(true)
      expect(hasMenus()).toBe(true)
      const script = join(data, 'nautilus', 'scripts', 'Convert with Refile', 'Images', 'PNG')
      expect(execFileSync(script, ['a b.jpg', "it's.jpg"], { encoding: 'utf8' })).toBe(
        "--to=png\na b.jpg\nit's.jpg\n",
      )
      const menu = readFileSync(join(data, 'kio', 'servicemenus', 'refile-png.desktop'), 'utf8')
      expect(menu).toContain('X-KDE-Submenu=Convert with Refile\n')
      expect(/^MimeType=(.*);$/m.exec(menu)?.[1]?.split(';')).toEqual(
        expect.arrayContaining(['image/jpeg', 'image/heic']),
      )
      expect(/^Exec=(.*)$/m.exec(menu)?.[1]).toBe(
        `"${home.replace('%', '%%')}/a \\\\"b\\\\" program" --to=png %F`,
      )
      setMenus(false)
      expect(hasMenus()).toBe(false)
      expect(existsSync(join(data, 'nautilus', 'scripts', 'Convert with Refile'))).toBe(false)
      expect(readFileSync(join(data, 'kio', 'servicemenus', 'mine.desktop'), 'utf8')).toBe('mine')
    },
  )
})
