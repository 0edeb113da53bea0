/** EPUB 3 names of the types of the guide (OPF 2.0): https://idpf.org/epub/vocab/structure/ */
const TYPES: Readonly<Record<string, string>> = {
  acknowledgements: 'acknowledgments',
  afterword: 'afterword',
  bibliography: 'bibliography',
  colophon: 'colophon',
  conclusion: 'conclusion',
  'copyright-page': 'copyright-page',
  cover: 'cover',
  dedication: 'dedication',
  epigraph: 'epigraph',
  epilogue: 'epilogue',
  foreword: 'foreword',
  glossary: 'glossary',
  index: 'index',
  introduction: 'introduction',
  loi: 'loi',
  lot: 'lot',
  notes: 'endnotes',
  preface: 'preface',
  prologue: 'prologue',
  start: 'bodymatter',
  text: 'bodymatter',
  'title-page': 'titlepage',
  toc: 'toc',
}

export const landmarkType = (guideType: string): string | undefined => TYPES[guideType.toLowerCase()]
