/** A document as a web page in one file. */
import { escapeXml } from '../../../common/xml/characters.ts'

const STYLE = `body { max-width: 45em; margin: 2em auto; padding: 0 1em; line-height: 1.5; font-family: system-ui, sans-serif; }
h1, h2, h3, h4, h5, h6 { line-height: 1.2; }
table { border-collapse: collapse; margin: 1em 0; }
td, th { border: 1px solid #888; padding: 0.2em 0.5em; vertical-align: top; text-align: start; }
img { max-width: 100%; height: auto; }
pre { white-space: pre-wrap; }
pre, code { font-size: 0.9em; }
blockquote { margin-inline: 0; padding-inline-start: 1em; border-inline-start: 3px solid #888; }
.center, .picture { text-align: center; }
.right { text-align: right; }
.smallcaps { font-variant: small-caps; }
.subtitle, .caption { font-style: italic; }
`

export interface PageFacts {
  title: string
  /** BCP 47; empty if unknown. */
  language: string
  rightToLeft?: boolean
  authors?: readonly string[]
}

/** @param body HTML within `body` */
export function htmlPage({ title, language, rightToLeft, authors = [] }: PageFacts, body: string): string {
  const attributes = `${language ? ` lang="${escapeXml(language)}"` : ''}${rightToLeft ? ' dir="rtl"' : ''}`
  const people = authors.map(name => `<meta name="author" content="${escapeXml(name)}">\n`).join('')
  return `<!DOCTYPE html>
<html${attributes}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)}</title>
${people}<style>
${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`
}
