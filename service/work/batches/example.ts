import { dirname, join } from 'node:path'
import type { Catalogue } from '../../convert/catalogue/catalogue.ts'
import { formats, splitName } from '../../convert/catalogue/formats.ts'
import { numberedName, portableFolders, portableName } from '../../shared/names/names.ts'
import { fillTemplate } from '../../shared/names/template.ts'
import type { Destination } from '../../store/interfaces/batches.ts'
import type { FileRecord } from '../../store/interfaces/files.ts'

/** Sample values for showing names while there is no file. */
const SAMPLE = { name: 'photo.jpg', relativePath: null, originalPath: null, format: 'jpg', measure: {} }
const SAMPLE_TARGET = 'webp'
/** Assumed size of a picture without a known one. */
const SAMPLE_SIZE = { width: 1920, height: 1080 }

type Original = Pick<FileRecord, 'name' | 'relativePath' | 'originalPath' | 'format' | 'measure'>

const sizeOf = ({ measure: { facts: { width, height } = {} } }: Original) =>
  width && height ? { width, height } : SAMPLE_SIZE

/**
 * The path that a file's result would get at a destination if nothing was in its way, or just its name if it is
 * downloaded.
 * @param target request key; a placeholder word for an unknown one
 */
export function exampleName(
  destination: Destination,
  catalogue: Catalogue,
  file: Original = SAMPLE,
  target = SAMPLE_TARGET,
): string {
  const found = catalogue.resolve(file.format ?? '', target)
  const edge = found.kind === 'found' ? found.edge : undefined
  const ext = formats[edge?.converter.target ?? SAMPLE_TARGET].suffixes[0] ?? ''
  const { stem } = splitName(file.name)
  const plain = portableName(ext === '' ? stem : `${stem}.${ext}`)
  if (destination.kind === 'keep') return plain
  const name =
    destination.name === undefined
      ? plain
      : fillTemplate(destination.name, {
          name: stem,
          ext,
          counter: 1,
          total: 1,
          date: Date.now(),
          source: file.format ?? '',
          target,
          preset: destination.preset,
          ...(edge?.converter.category === 'images' ? sizeOf(file) : {}),
        })
  if (destination.kind === 'folder') {
    const folders = destination.keepFolders ? portableFolders(file.relativePath ?? '') : []
    return join(destination.path, ...folders, name)
  }
  if (file.originalPath === null) return name
  // Originals are never overwritten.
  const beside = join(dirname(file.originalPath), name)
  return beside === file.originalPath ? join(dirname(beside), numberedName(name, 2)) : beside
}
