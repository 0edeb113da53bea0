/** Reads GitHub's Markdown, with notes and formulas, by way of the HTML that it stands for. */
import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import { type Document, plainText as wordsOf } from '../../model.ts'
import { plainText } from '../decode.ts'
import { readWebPage } from '../html/page.ts'
import { splitFrontMatter } from './front-matter.ts'
import { parseMarkdown, renderMarkdown } from './parse.ts'

/** Longer texts are not documents that anybody reads; pictures inside may be larger. */
const MAX_TEXT_BYTES = 16_000_000

/** @throws JobFailure corrupt_input, too_large */
export function readMarkdown(bytes: Uint8Array): Document {
  const { front, body } = splitFrontMatter(plainText(bytes))
  const text = body.replace(/data:image\/[\w.+-]+;base64,[\w+/=%]+/g, 'data:')
  if (text.trim() === '' && !front.title)
    throw new JobFailure('jobs.corrupt_input', message('markdown.empty'))
  if (text.length > MAX_TEXT_BYTES)
    throw new JobFailure('jobs.too_large', message('markdown.too_large', { megabytes: MAX_TEXT_BYTES / 1e6 }))
  const html = renderMarkdown(parseMarkdown(body))
  const page = readWebPage(`<!DOCTYPE html><html><body>${html}</body></html>`)
  return {
    ...page,
    title: front.title ?? firstTitle(page) ?? '',
    hasOwnTitle: front.title !== undefined && front.title !== firstTitle(page),
    authors: front.authors,
    language: front.language ?? '',
    description: front.description ?? '',
    subtitle: front.subtitle,
    date: front.date,
    keywords: front.keywords,
  }
}

function firstTitle({ blocks }: Document): string | undefined {
  const heading = blocks.find(block => block.kind === 'heading' && block.level === 1)
  return heading?.kind === 'heading' ? wordsOf(heading.content).trim() : undefined
}
