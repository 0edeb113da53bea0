import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { programPath, quoted } from '../login.ts'
import { resourcesFolder } from '../paths.ts'

/** What stands for the program in what packaging has made of the catalogue. */
const PROGRAM = '@REFILE@'

/** A folder of menu entries that ship with the app, and where the person's file managers look for such. */
interface Menus {
  from: string
  to: string
}

const dataHome = (): string => process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share')

function menus(): Menus[] {
  const shipped = (name: string) => join(resourcesFolder, 'file-manager', name)
  const all =
    process.platform === 'darwin'
      ? [{ from: shipped('services'), to: join(homedir(), 'Library', 'Services') }]
      : process.platform === 'linux'
        ? [
            { from: shipped('nautilus'), to: join(dataHome(), 'nautilus', 'scripts') },
            { from: shipped('kio'), to: join(dataHome(), 'kio', 'servicemenus') },
          ]
        : []
  return all.filter(({ from }) => existsSync(from))
}

const entries = ({ from, to }: Menus): string[] => readdirSync(from).map(name => join(to, name))

/** Whether the file manager offers "Convert with Refile"; null where that is up to the installer. */
export function hasMenus(): boolean | null {
  const all = menus()
  return all.length === 0 ? null : all.some(each => entries(each).some(path => existsSync(path)))
}

/** Adds "Convert with Refile" to the person's file managers, or takes it away. Nothing of theirs is touched. */
export function setMenus(on: boolean): void {
  for (const each of menus()) {
    for (const path of entries(each)) rmSync(path, { recursive: true, force: true })
    if (on) add(each)
  }
}

function add({ from, to }: Menus): void {
  mkdirSync(to, { recursive: true })
  cpSync(from, to, { recursive: true })
  for (const entry of globSync('**/*', { cwd: from, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(to, join(entry.parentPath, entry.name).slice(from.length))
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replaceAll(PROGRAM, () => programIn(path)),
    )
    chmodSync(path, 0o755)
  }
}

/** The program as a word of a script, or of a line of a desktop entry. */
const programIn = (path: string): string =>
  path.endsWith('.desktop') ? quoted(programPath()) : `'${programPath().replaceAll("'", "'\\''")}'`
