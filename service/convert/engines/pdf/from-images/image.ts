/** A picture as stored in PDF (ISO 32000-1, 8.9): samples with a filter that PDF readers decode. */
export interface PdfImage {
  width: number
  height: number
  bits: 1 | 2 | 4 | 8 | 16
  colours: PdfColours
  /** ICC profile of the samples; plain grey, RGB or CMYK if absent. */
  icc?: Uint8Array
  filter: 'DCTDecode' | 'FlateDecode'
  /** Extra parameters of the filter, in PDF syntax. */
  parameters?: string
  /** Pieces of the encoded samples. */
  data: Uint8Array[]
  /** Range of every colour, if unusual: CMYK JPEGs are often inverted. */
  inverted?: boolean
  /** Fully transparent samples: a minimum and maximum for every colour. */
  colourKey?: number[]
  /** Transparency as a grey picture. */
  mask?: PdfImage
  /** EXIF orientation 1–8 that the page has to apply. */
  orientation?: number
}

export type PdfColours =
  | { model: 'grey' | 'rgb' | 'cmyk' }
  | { model: 'palette' /** RGB triples. */; palette: Uint8Array }

export const componentsOf = ({ model }: PdfColours): 1 | 3 | 4 =>
  model === 'rgb' ? 3 : model === 'cmyk' ? 4 : 1

/** Size of a picture's samples and mask in bytes. */
export const encodedBytes = (image: PdfImage): number =>
  image.data.reduce((sum, part) => sum + part.length, 0) + (image.mask ? encodedBytes(image.mask) : 0)
