/**
 * The formats of text documents. A new one is a file in `read` or `write` and a line here, from which its conversions follow; see
 * docs/add-a-text-format.md. This file is loaded with the service and loads its formats only when they are used.
 */
import type { Reader, Writer } from './format.ts'

interface WriterRow {
  /** Where pictures go: beside the text, or within it if a person wishes so; into it; into the file; nowhere. */
  pictures: 'beside' | 'inside' | 'held' | 'none'
  load(): Promise<Writer>
}

// biome-ignore format: a table
export const readers = {
  docx: async () => (await import('./read/docx/read.ts')).readDocx,
  eml: async () => (await import('./read/mail/message.ts')).readMail,
  html: async () => (await import('./read/html/page.ts')).readWebPage,
  ipynb: async () => (await import('./read/ipynb.ts')).readNotebook,
  mbox: async () => (await import('./read/mail/message.ts')).readMailbox,
  md: async () => (await import('./read/markdown/read.ts')).readMarkdown,
  msg: async () => (await import('./read/mail/outlook.ts')).readOutlook,
  org: async () => (await import('./read/org.ts')).readOrg,
  pptx: async () => (await import('./read/pptx/read.ts')).readPptx,
  rst: async () => (await import('./read/rst/read.ts')).readRst,
  tex: async () => (await import('./read/tex/read.ts')).readTex,
  txt: async () => (await import('./read/text.ts')).readText,
} as const satisfies Record<string, () => Promise<Reader>>

/** Those that people write themselves, in any encoding, with pictures beside them; the likeliest first. */
export const texts: (keyof typeof readers)[] = ['md', 'html', 'org', 'rst', 'tex']

// biome-ignore format: a table
export const writers = {
  docx: { pictures: 'held', load: async () => (await import('./write/docx/word.ts')).writeDocument },
  epub: { pictures: 'held', load: async () => (await import('./write/epub.ts')).writeBook },
  html: { pictures: 'inside', load: async () => (await import('./write/html/page.ts')).writePage },
  md: { pictures: 'beside', load: async () => (await import('./write/markdown/blocks.ts')).writeMarkdown },
  adoc: { pictures: 'beside', load: async () => (await import('./write/source/asciidoc.ts')).writeAsciidoc },
  docbook: { pictures: 'beside', load: async () => (await import('./write/source/docbook.ts')).writeDocbook },
  org: { pictures: 'beside', load: async () => (await import('./write/source/org.ts')).writeOrg },
  rst: { pictures: 'beside', load: async () => (await import('./write/source/rst.ts')).writeRst },
  tex: { pictures: 'beside', load: async () => (await import('./write/source/latex.ts')).writeLatex },
  typ: { pictures: 'beside', load: async () => (await import('./write/typst/markup.ts')).writeTypst },
  txt: { pictures: 'none', load: async () => (await import('./write/text.ts')).writeText },
} as const satisfies Record<string, WriterRow>
