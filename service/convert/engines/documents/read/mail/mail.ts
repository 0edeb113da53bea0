/** An e-mail, whatever program kept it. */

import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import type { Block, Document, Inline } from '../../model.ts'
import { documentWith, isEmpty, paragraphOf, run } from '../../model.ts'
import { readWebPage } from '../html/page.ts'
import { readText } from '../text.ts'

export interface Mail {
  subject: string
  /** The rest of its head as people read it: names such as `From`, and their values, in order; those without a value are not shown. */
  heads: readonly (readonly [name: string, value: string])[]
  /** Its text as a web page, which programs prefer, and as plain text; either may be empty. */
  html: string
  text: string
  files: readonly MailFile[]
}

export interface MailFile {
  name: string
  /** Its MIME type. */
  type: string
  /** By which `cid:` addresses of the page name it; empty if they do not. */
  id: string
  bytes: Uint8Array
}

/** @throws JobFailure encrypted_input: nobody but its recipient can read it */
export function refuseEncrypted(type: string): void {
  if (/^(?:multipart\/encrypted|application\/(?:x-)?pkcs7-mime|application\/pgp-encrypted)/i.test(type))
    throw new JobFailure('jobs.encrypted_input', message('mail.encrypted'))
}

const line = (name: string, value: string): Inline[] => [run(`${name}: `, { bold: true }), run(value)]

/**
 * A mail as mail programs print it: subject, heads, names of the files with it, and text with the pictures that came with it. Nothing
 * is loaded: pictures elsewhere tell their senders who reads.
 */
export function documentOf({ subject, heads, html, text, files }: Mail): Document {
  const shown = new Set<MailFile>()
  const beside = (address: string) => {
    const id = /^cid:(.+)/i.exec(address)?.[1]
    const file = files.find(each => each.id !== '' && each.id === id)
    if (file) shown.add(file)
    return file?.bytes
  }
  const page = readWebPage(html, { beside })
  const body = isEmpty(page.blocks) ? readText(Buffer.from(text)) : page
  const attachments = files.filter(file => !shown.has(file))
  const names = attachments.map(({ name }) => name).join(', ')
  const all = [...heads, ['Attachments', names] as const].filter(([, value]) => value !== '')
  if (all.length === 0 && isEmpty(body.blocks))
    throw new JobFailure('jobs.corrupt_input', message('mail.none'))
  const head = all.flatMap(([name, value], nth): Inline[] => [
    ...(nth > 0 ? [{ kind: 'break' as const }] : []),
    ...line(name, value),
  ])
  const blocks: Block[] = [
    ...(subject ? [{ kind: 'heading' as const, level: 1, content: [run(subject)] }] : []),
    ...(head.length > 0 ? [paragraphOf(head), { kind: 'rule' as const }] : []),
    ...body.blocks,
  ]
  return documentWith({ ...body, title: subject, blocks, attachments })
}
