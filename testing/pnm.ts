export interface Decoded {
  width: number
  height: number
  /** RGBA, 8 bit. */
  data: Uint8Array
}

/** Heads of PGM and PPM, and of PAM: https://netpbm.sourceforge.net/doc/pam.html */
const PNM = /^P(?<magic>[56])\s+(?<width>\d+)\s+(?<height>\d+)\s+(?<maxval>\d+)\s/
const PAM =
  /^P7\nWIDTH (?<width>\d+)\nHEIGHT (?<height>\d+)\nDEPTH (?<depth>\d)\nMAXVAL (?<maxval>\d+)\nTUPLTYPE \w+\nENDHDR\n/

/**
 * Reads what programs write that decode pictures: PGM, PPM or PAM, of grey or colour, with transparency or without.
 * @returns null if it is none, or samples do not have 8 bits
 */
export function readPnm(bytes: Buffer): Decoded | null {
  const text = bytes.toString('latin1', 0, 128)
  const found = PNM.exec(text) ?? PAM.exec(text)
  if (found?.groups?.maxval !== '255') return null
  const [width, height] = [Number(found.groups.width), Number(found.groups.height)]
  const depth = Number(found.groups.depth ?? (found.groups.magic === '6' ? 3 : 1))
  const samples = bytes.subarray(found[0].length)
  const [green, blue] = depth > 2 ? [1, 2] : [0, 0]
  const data = new Uint8Array(width * height * 4)
  for (let to = 0, from = 0; to < data.length; to += 4, from += depth) {
    data[to] = samples[from]!
    data[to + 1] = samples[from + green]!
    data[to + 2] = samples[from + blue]!
    data[to + 3] = depth % 2 === 0 ? samples[from + depth - 1]! : 255
  }
  return { width, height, data }
}
