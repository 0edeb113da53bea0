/** A formula as a tree, read from OMML, MathML and TeX, and written as each of them. */
export type Maths =
  | { kind: 'row'; parts: Maths[] }
  | { kind: 'identifier' | 'number' | 'operator' | 'words'; text: string; variant?: Variant | undefined }
  | { kind: 'fraction'; over: Maths; under: Maths; bar: boolean; sloped: boolean }
  | { kind: 'scripts'; base: Maths; sub?: Maths | undefined; sup?: Maths | undefined }
  | { kind: 'prescripts'; base: Maths; sub: Maths; sup: Maths }
  /** A base with limits above and below it. */
  | { kind: 'limits'; base: Maths; under?: Maths | undefined; over?: Maths | undefined }
  | { kind: 'root'; body: Maths; degree?: Maths | undefined }
  | { kind: 'fence'; open: string; close: string; separator: string; parts: Maths[] }
  /** `columns` are aligned to the left, right or center; all to the center without them. */
  | { kind: 'matrix'; rows: Maths[][]; columns?: string[] }
  | { kind: 'lines'; rows: Maths[] }
  | { kind: 'accent'; mark: string; body: Maths; below: boolean }
  /** A space of a width in em. */
  | { kind: 'space'; width: number }
  | { kind: 'box' | 'phantom'; body: Maths }

export type Variant = 'plain' | 'bold' | 'script' | 'fraktur' | 'double-struck' | 'sans' | 'mono'
