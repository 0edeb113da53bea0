import { sharp } from './load.ts'

/** Width and height of a picture in pixels, upright and of one frame; undefined for what is no picture that sharp reads. */
export async function sizeOf(path: string): Promise<{ width: number; height: number } | undefined> {
  try {
    const { autoOrient, pageHeight } = await sharp(path).metadata()
    return { width: autoOrient.width, height: pageHeight ?? autoOrient.height }
  } catch {
    return undefined
  }
}
