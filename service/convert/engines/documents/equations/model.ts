/** A formula as a tree, read from OMML, MathML and TeX, and written as each of them. */
export type Equation =
  | { kind: 'row'; parts: Equation[] }
  | { kind: 'identifier' | 'number' | 'operator' | 'words'; text: string; variant?: Variant | undefined }
  | { kind: 'fraction'; over: Equation; under: Equation; bar: boolean; sloped: boolean }
  | { kind: 'scripts'; base: Equation; sub?: Equation | undefined; sup?: Equation | undefined }
  | { kind: 'prescripts'; base: Equation; sub: Equation; sup: Equation }
  /** A base with limits above and below it. */
  | { kind: 'limits'; base: Equation; under?: Equation | undefined; over?: Equation | undefined }
  | { kind: 'root'; body: Equation; degree?: Equation | undefined }
  | { kind: 'fence'; open: string; close: string; separator: string; parts: Equation[] }
  /** `columns` are aligned to the left, right or center; all to the center without them. */
  | { kind: 'matrix'; rows: Equation[][]; columns?: string[] }
  | { kind: 'lines'; rows: Equation[] }
  | { kind: 'accent'; mark: string; body: Equation; below: boolean }
  /** A space of a width in em. */
  | { kind: 'space'; width: number }
  | { kind: 'box' | 'phantom'; body: Equation }

export type Variant = 'plain' | 'bold' | 'script' | 'fraktur' | 'double-struck' | 'sans' | 'mono'
