/** Whether the options of a conversion do anything: what it makes at the ends of each, compared with what it makes without. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'
import type { Converter } from '../service/convert/catalogue/converter.ts'
import type { OptionField, OptionGroup, OptionProperties } from '../service/convert/catalogue/options.ts'
import { JobFailure } from '../service/shared/errors.ts'
import { extremesOf, type Setting, withSettings } from './extremes.ts'
import { convertFile } from './fixtures/convert.ts'

/** What must be chosen besides for an option to matter, where that is no value of a list that the schema could name. */
const companions: Record<string, Record<string, Setting['value']>> = {
  'resize.height': { 'resize.width': 400 },
  'resize.fit': { 'resize.width': 400, 'resize.height': 400 },
  'resize.enlarge': { 'resize.value': 3000 },
  'crop.left': { 'crop.width': 20, 'crop.height': 20 },
  'crop.top': { 'crop.width': 20, 'crop.height': 20 },
  'crop.width': { 'crop.height': 20 },
  'crop.height': { 'crop.width': 20 },
  'headers.side': { 'headers.header': 'x' },
  'headers.size': { 'headers.header': 'x' },
  'stamp.place': { 'stamp.text': 'x' },
  'stamp.size': { 'stamp.text': 'x' },
  'stamp.opacity': { 'stamp.text': 'x' },
  'watermark.position': { 'watermark.text': 'x' },
  'watermark.size': { 'watermark.text': 'x' },
  'watermark.opacity': { 'watermark.text': 'x' },
  'watermark.repeat': { 'watermark.text': 'x' },
}

/** Options that matter for certain files alone, which only reading them shows: names in no Unicode, notes of a reviewer, barriers. */
const ofCertainFiles = new Set(['accessible', 'encoding', 'comments', 'hdr'])

/** The option itself. */
function optionAt(options: OptionProperties, path: string): OptionField | undefined {
  let found: OptionField | OptionGroup | undefined
  for (const name of path.split('.')) found = (found?.type === 'object' ? found.properties : options)[name]
  return found?.type === 'object' ? undefined : found
}

/**
 * Which options to try of each conversion: an option that several conversions to a format have, which the same code makes, is tried
 * with the first of them. Whatever a picture is read from, the same code changes and writes it.
 */
export function shareOfEach(converters: readonly Converter[]): { converter: Converter; paths: string[] }[] {
  const seen = new Set<string>()
  return converters.flatMap(converter => {
    const { category, options, target, load } = converter
    const paths = switchesOf(options)
      .map(({ path }) => path)
      .filter(path => {
        const key = JSON.stringify([
          category === 'images' || String(load),
          target,
          path,
          optionAt(options, path),
        ])
        const isNew = !seen.has(key)
        seen.add(key)
        return isNew
      })
    return paths.length > 0 ? [{ converter, paths }] : []
  })
}

interface Switch {
  path: string
  values: Setting[]
  /** Other options with which it applies. */
  given: Setting[]
}

/** The options that the schema does not tie to facts of a file, without those that only turn others on. */
function switchesOf(options: OptionProperties): Switch[] {
  return extremesOf(options).flatMap(values => {
    const { path } = values[0]!
    const names = path.split('.')
    let properties = options
    for (const name of names.slice(0, -1)) {
      const group = properties[name]!
      if (group.type !== 'object' || group['x-requires']) return []
      properties = group.properties
    }
    const name = names.at(-1)!
    const field = properties[name]!
    if (field.type === 'object' || field['x-requires']) return []
    const turnsOn = Object.values(properties).some(
      other => other.type !== 'object' && other['x-when']?.[name]?.[0] === true,
    )
    if (turnsOn || ofCertainFiles.has(path)) return []
    const beside = (sibling: string) => [...names.slice(0, -1), sibling].join('.')
    const given = [
      ...Object.entries(field['x-when'] ?? {}).map(
        ([sibling, [value]]) => [beside(sibling), value!] as const,
      ),
      ...Object.entries(companions[path] ?? {}),
    ].map(([path, value]) => ({ path, value }))
    return [{ path, values, given }]
  })
}

/** When something was made, and the identifiers that are new each time. */
const TIMES =
  /D:\d{14}[^)]*|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d|\/ID ?\[[^\]]*\]|urn:uuid:[\da-f-]+|uuid:[\da-f-]+/g

function fingerprint(path: string): string {
  const bytes = readFileSync(path)
  const hash = createHash('sha1')
  const parts = /\.(docx|epub|odt|pptx|xlsx)$/.test(path) ? Object.values(unzipSync(bytes)) : [bytes]
  for (const part of parts) hash.update(Buffer.from(part).toString('latin1').replace(TIMES, ''))
  return hash.digest('hex')
}

/** What a conversion ends with: its results and warnings, or why it was refused. */
async function endingOf(job: string, source: string, settings: readonly Setting[]): Promise<string> {
  try {
    const { outputs, warnings } = await convertFile(job, source, withSettings(settings))
    return JSON.stringify([outputs.map(({ path }) => fingerprint(path)), warnings])
  } catch (error) {
    if (error instanceof JobFailure) return `${error.code} ${error.detail}`
    throw error
  }
}

/** The options of a conversion that change nothing at any of their ends, although the schema does not say that they need not apply. */
export async function deadSwitches(
  job: string,
  options: OptionProperties,
  source: string,
  paths?: readonly string[],
): Promise<string[]> {
  const dead: string[] = []
  for (const { path, values, given } of switchesOf(options)) {
    if (paths && !paths.includes(path)) continue
    const usual = await endingOf(job, source, given)
    let isDead = true
    for (const value of values) isDead &&= (await endingOf(job, source, [...given, value])) === usual
    if (isDead) dead.push(path)
  }
  return dead
}
