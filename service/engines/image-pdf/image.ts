/** A picture as PDF stores it (ISO 32000-1, 8.9): samples in a filter PDF readers decode themselves. */
export interface PdfImage {
  width: number
  height: number
  bits: 1 | 2 | 4 | 8 | 16
  colours: PdfColours
  /** ICC profile of the samples; plain grey, RGB or CMYK when absent. */
  icc?: Uint8Array
  filter: 'DCTDecode' | 'FlateDecode'
  /** Extra parameters of the filter, in PDF syntax. */
  parameters?: string
  /** Pieces of the encoded samples. */
  data: Uint8Array[]
  /** Range of every colour, where it is not the usual one: CMYK JPEGs are often inverted. */
  inverted?: boolean
  /** Samples that are fully transparent, a smallest and largest value for every colour. */
  colourKey?: number[]
  /** Transparency as a grey picture. */
  mask?: PdfImage
  /** EXIF orientation 1–8 the page has to apply. */
  orientation?: number
}

export type PdfColours =
  | { model: 'grey' | 'rgb' | 'cmyk' }
  | { model: 'palette' /** RGB triples. */; palette: Uint8Array }

export const componentsOf = ({ model }: PdfColours): 1 | 3 | 4 =>
  model === 'rgb' ? 3 : model === 'cmyk' ? 4 : 1

/** Bytes of a picture's samples and mask. */
export const encodedBytes = (image: PdfImage): number =>
  image.data.reduce((sum, part) => sum + part.length, 0) + (image.mask ? encodedBytes(image.mask) : 0)
