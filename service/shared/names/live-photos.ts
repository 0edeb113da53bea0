/** Live Photos of iPhones: a picture and a video with the same name, in which the camera writes the same identifier. */

const PICTURE = /\.(?:heic|heif|jpe?g)$/i
const VIDEO = /\.(?:mov|mp4)$/i

/** Bytes at the beginning and the end of a file in which it is described, and what it is called there. */
const DESCRIBED = 262_144
const IDENTIFIER = /[\dA-F]{8}(?:-[\dA-F]{4}){3}-[\dA-F]{12}/g

/**
 * The files, with each Live Photo as one: its picture with the video behind it, as phones of Google and Samsung write it
 * (https://developer.android.com/media/platform/motion-photo-format).
 * @param pathOf the path of a file, which tells folders apart
 * @param joined the file of a picture whose content is that of these parts
 */
export async function withLivePhotos<Found>(
  files: readonly Found[],
  pathOf: (file: Found) => string,
  open: (file: Found) => Promise<Blob>,
  joined: (picture: Found, parts: BlobPart[]) => Found,
): Promise<Found[]> {
  const kept = new Map(files.map(file => [file, file]))
  for (const group of Map.groupBy(files, file => pathOf(file).replace(/\.[^./\\]*$/, '')).values()) {
    const video = group.find(file => VIDEO.test(pathOf(file)))
    if (video === undefined || group.length === 1) continue
    const clip = await open(video)
    const identifiers = (await descriptionOf(clip)).match(IDENTIFIER) ?? []
    for (const picture of group.filter(file => PICTURE.test(pathOf(file)))) {
      const photo = await open(picture)
      const own = await descriptionOf(photo)
      if (!kept.has(video) || !identifiers.some(identifier => own.includes(identifier))) continue
      kept.set(picture, joined(picture, [photo, ...behind(own, clip)]))
      kept.delete(video)
    }
  }
  return [...kept.values()]
}

const descriptionOf = async (file: Blob): Promise<string> => {
  const parts = new Blob([file.slice(0, DESCRIBED), file.slice(-DESCRIBED)])
  return new TextDecoder('latin1').decode(await parts.arrayBuffer().catch(() => new ArrayBuffer()))
}

/** A video as it stands behind a picture: in HEIC in a box, in JPEG with a mark at the end. */
function behind(picture: string, video: Blob): BlobPart[] {
  if (picture.slice(4, 8) !== 'ftyp') return [video, 'MotionPhoto_Data']
  const header = new DataView(new ArrayBuffer(8))
  header.setUint32(0, 8 + video.size)
  header.setUint32(4, 0x6d707664) // mpvd
  return [header, video]
}
