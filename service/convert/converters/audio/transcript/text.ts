import { escapeStart, escapeText } from '../../../engines/documents/write/markdown/text.ts'
import { type DocumentOptions, documentOf, HEADING, type Line, leadOf } from './document.ts'
import { type Transcript, transcriber } from './transcript.ts'

/** Plain text of a tidy transcript: the words with their speakers, and at the end the engine. */
export function writeText(transcript: Transcript, options: DocumentOptions): string {
  const { lines } = documentOf(transcript, options)
  const texts = lines.map(({ speaker, text }) => (speaker ? `${speaker}: ${text}` : text))
  return `${[...texts, `[${transcriber(transcript)}]`].join('\n\n')}\n`
}

/** Markdown (CommonMark) of a tidy transcript. */
export function writeMarkdown(transcript: Transcript, options: DocumentOptions): string {
  const { title, facts, notices, lines } = documentOf(transcript, options)
  const line = (content: Line) => {
    const lead = leadOf(content)
    return `${lead ? `**${escaped(lead)}** ` : ''}${escaped(content.text)}`
  }
  return `${[
    `# ${escaped(title)}`,
    facts.map(([label, value]) => `- ${escaped(label)}: ${escaped(value)}`).join('\n'),
    ...notices.map(notice => `*${escaped(notice)}*`),
    `## ${HEADING}`,
    ...lines.map(line),
  ].join('\n\n')}\n`
}

const escaped = (text: string) => escapeStart(escapeText(text))
