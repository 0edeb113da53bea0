import type { JsonValue } from '../../convert/catalogue/task.ts'
import type { FileFacts } from '../../shared/file-facts.ts'
import type { FileRecord } from '../../store/interfaces/files.ts'

/** Lottie animations: they have frames instead of pages, and no camera data. */
const animations = new Set(['lottie', 'tgs'])

/** Facts about every file of a format. */
const known: Readonly<Record<string, FileFacts>> = {
  bmp: { frames: 1, metadata: false },
  ico: { metadata: false },
  lottie: { metadata: false },
  pict: { frames: 1, metadata: false },
  svg: { frames: 1, metadata: false },
  tgs: { metadata: false },
}

const lengthOf = (probe: { [key: string]: JsonValue }, key: string): number | undefined => {
  const list = probe[key]
  return Array.isArray(list) ? list.length : undefined
}

/** Facts from the description of a media file. */
function factsOfProbe(probe: JsonValue | undefined): FileFacts {
  if (typeof probe !== 'object' || probe === null || Array.isArray(probe)) return {}
  const { picture } = probe
  const { fps, width, height, rotation } =
    typeof picture === 'object' && picture !== null && !Array.isArray(picture) ? picture : {}
  const isTurned = Math.abs(Number(rotation)) % 180 === 90
  const [audioTracks, chapters] = [lengthOf(probe, 'tracks'), lengthOf(probe, 'chapters')]
  const subtitles = lengthOf(probe, 'subtitles')
  return {
    ...(subtitles !== undefined && { subtitles }),
    ...(audioTracks !== undefined && { audioTracks }),
    ...(chapters !== undefined && { chapters }),
    ...(typeof probe.video === 'boolean' && { video: probe.video }),
    ...(typeof fps === 'number' && { fps }),
    ...(typeof width === 'number' &&
      typeof height === 'number' &&
      (isTurned ? { width: height, height: width } : { width, height })),
  }
}

/** The facts that measuring found out, for the page. */
export function factsOf({ format, measure }: Pick<FileRecord, 'format' | 'measure'>): FileFacts {
  const { pages, minutes, probe, facts } = measure
  const counted = pages === undefined ? {} : animations.has(format ?? '') ? { frames: pages } : { pages }
  return {
    ...(format !== null && Object.hasOwn(known, format) && known[format]),
    ...counted,
    ...(minutes !== undefined && { seconds: Math.round(minutes * 60_000) / 1000 }),
    ...factsOfProbe(probe),
    ...facts,
  }
}
