/** A font program of cubic outlines, CFF or Type 1, as far as PDF/A asks about it. */
export interface OutlineProgram {
  /** 0 where there is none. */
  glyphNamed(name: string): number
  glyphOfCid(cid: number): number
  /** Glyphs of codes as the font itself has them; empty where it has the standard encoding. */
  encoding: readonly (number | undefined)[]
  /** In thousandths of the font's size; undefined where it cannot be told. */
  widthOf(glyph: number): number | undefined
}
