import type { Dirent } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { render } from '../../shared/messages/render.ts'
import { portableName } from '../../shared/names/names.ts'
import { checkDestination, checkTemplate } from '../../work/batches/destination.ts'
import { exampleName } from '../../work/batches/example.ts'
import { forRole, isOfHost, ownersIf } from '../http/access.ts'
import { object, optional, type Routes, string } from '../http/schema.ts'
import type { Services } from '../services.ts'
import {
  type Destination,
  type DestinationCheck,
  type Folders,
  NewDestination,
  NewFolder,
  type SaveTo,
} from './types.ts'

/** How many subfolders of a folder are listed. */
const MAX_FOLDERS = 1000

/** Checks destinations, so that the page can show names before anything is converted. */
export function destinationRoutes(app: Routes, services: Services): void {
  const member = forRole('member', app)
  const owner = forRole('owner', app)
  const { files, catalogue, config } = services

  member.post(
    '/app/destinations/check',
    { schema: { body: NewDestination }, ...ownersIf<NewDestination>(body => isOfHost(body.saveTo)) },
    async ({ caller, body: { saveTo, preset, example } }): Promise<DestinationCheck> => {
      const file = example && (await files.use(example.fileId, caller.accountId))
      const destination = destinationOf(saveTo, preset)
      try {
        if (destination) await checkDestination(destination, config.home, file ? [file] : [])
        else checkTemplate(saveTo.name)
        const place = destination ?? { kind: 'beside', ...savingOf(saveTo, preset) }
        const path = exampleName(place, catalogue, file, example?.target)
        return { example: destination ? path : basename(path), problem: null }
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
        return { example: null, problem: render(error.reason) }
      }
    },
  )

  owner.get(
    '/app/folders',
    { schema: { querystring: object({ path: optional(string({ maxLength: 4096 })) }) } },
    async ({ query }): Promise<Folders> => folderAt(query.path || homedir()),
  )

  owner.post('/app/folders', { schema: { body: NewFolder } }, async ({ body: { path, name } }, reply) => {
    const { path: parent } = await folderAt(path)
    if (portableName(name) !== name)
      throw new RequestError('request.invalid_parameter', message('destination.folder_name'))
    const created = join(parent, name)
    await mkdir(created).catch((error: NodeJS.ErrnoException) => {
      // One that is there already can be chosen as well.
      if (error.code !== 'EEXIST')
        throw new RequestError('request.invalid_parameter', message('destination.no_folder_here'))
    })
    return reply.code(201).send(await folderAt(created))
  })
}

/**
 * A folder of this machine with its subfolders.
 * @throws RequestError request.invalid_parameter if it cannot be listed
 */
async function folderAt(path: string): Promise<Folders> {
  // Accessing a network path would reveal the user to its server.
  if (!isAbsolute(path) || path.includes('\0') || /^[\\/]{2}/.test(path))
    throw new RequestError('request.invalid_parameter', message('destination.not_absolute'))
  const entries = await readdir(path, { withFileTypes: true }).catch(() => {
    throw new RequestError('request.invalid_parameter', message('destination.not_a_folder'))
  })
  const parent = dirname(path)
  return { path, parent: parent === path ? null : parent, folders: foldersOf(path, entries) }
}

const savingOf = ({ name, keepDates, taken }: SaveTo, preset: string | undefined) => ({
  ...(name === '' ? {} : { name }),
  ...(preset === undefined ? {} : { preset }),
  keepDates,
  taken,
})

/** The destination for a person's choice; undefined if they are still to be asked. */
function destinationOf(saveTo: SaveTo, preset: string | undefined): Destination | undefined {
  const { kind, folder, keepFolders } = saveTo
  if (kind === 'keep') return { kind }
  if (kind === 'beside') return { kind, ...savingOf(saveTo, preset) }
  if (kind === 'ask') return undefined
  return { kind, path: folder ?? '', keepFolders, ...savingOf(saveTo, preset) }
}

const byName = new Intl.Collator(undefined, { numeric: true })

/** Folders that are not hidden, sorted by name. */
const foldersOf = (path: string, entries: readonly Dirent[]): Folders['folders'] =>
  entries
    .filter(entry => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => ({ name, path: join(path, name) }))
    .toSorted((a, b) => byName.compare(a.name, b.name))
    .slice(0, MAX_FOLDERS)
