import { type DocumentOptions, documentOf, type Line, leadOf, type TranscriptDocument } from './document.ts'
import { join, type Transcript, transcriber } from './transcript.ts'

/**
 * Plain text of a tidy transcript: the words with their speakers, and at the end the engine; minutes also get headings and
 * times.
 */
export function writeText(transcript: Transcript, options: DocumentOptions): string {
  const document = documentOf(transcript, options)
  if (!options.meeting) {
    const lines = document.sections.flatMap(({ lines }) => lines)
    const said = lines.map(({ speaker, text }) => (speaker ? `${speaker}: ${text}` : text))
    return `${[...said, `[${transcriber(transcript)}]`].join('\n\n')}\n`
  }
  return `${[...headOf(document), ...document.sections.flatMap(sectionOf)].join('\n')}\n`
}

const underlined = (text: string, sign: string) => [text, sign.repeat(Math.min(72, text.length))]

const headOf = ({ title, facts, notices }: TranscriptDocument) => [
  ...underlined(title, '='),
  ...facts.map(([label, value]) => `${label}: ${value}`),
  ...notices.flatMap(notice => ['', notice]),
]

function sectionOf({ heading, kind, lines }: TranscriptDocument['sections'][number]): string[] {
  const body = lines.flatMap(line => (kind === 'list' ? [`- ${whole(line)}`] : ['', whole(line)]))
  return ['', ...underlined(heading, '-'), ...(kind === 'list' ? ['', ...body] : body)]
}

const whole = (line: Line) => join(leadOf(line), line.text) + (line.remark ? ` (${line.remark})` : '')

/** Markdown (CommonMark) of a tidy transcript. */
export function writeMarkdown(transcript: Transcript, options: DocumentOptions): string {
  const { title, facts, notices, sections } = documentOf(transcript, options)
  const line = (content: Line) => {
    const lead = leadOf(content)
    const remark = content.remark ? ` *(${escaped(content.remark)})*` : ''
    return `${lead ? `**${escaped(lead)}** ` : ''}${escaped(content.text)}${remark}`
  }
  return `${[
    `# ${escaped(title)}`,
    facts.map(([label, value]) => `- ${escaped(label)}: ${escaped(value)}`).join('\n'),
    ...notices.map(notice => `*${escaped(notice)}*`),
    ...sections.flatMap(({ heading, kind, lines }) => [
      `## ${escaped(heading)}`,
      kind === 'list' ? lines.map(content => `- ${line(content)}`).join('\n') : lines.map(line).join('\n\n'),
    ]),
  ].join('\n\n')}\n`
}

/** Escapes what Markdown would take for markup anywhere, and list numbers and signs at the start. */
const escaped = (text: string) =>
  text
    .replace(/[\\`*_{}[\]<>#|~&!]/g, '\\$&')
    .replace(/^([-+=])/, '\\$1')
    .replace(/^(\d+)([.)])/, '$1\\$2')
