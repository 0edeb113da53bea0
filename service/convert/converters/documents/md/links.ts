import type { Context } from './context.ts'
import type { Nesting } from './nesting.ts'

/** The output and the context of the document around it. */
export interface Scope {
  out: Nesting
  context: Context
  /** Notes and names are not marked in headings, since contents and repeated table headers show them again. */
  inHeading: boolean
}

/** A link out of the document, or to a place in it; a link that leads nowhere in a PDF becomes its text. */
export function openLink(address: string, { out, context }: Scope): void {
  const target = out.isIn('link') ? undefined : context.linkTarget(address)
  if (target) out.open('link', `#link(${target})[`)
  else out.open('link', '', '')
}
