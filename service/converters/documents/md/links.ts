import type { Context } from './context.ts'
import type { Nesting } from './nesting.ts'

/** Where content is written to, and what is known of the document around it. */
export interface Scope {
  out: Nesting
  context: Context
  /** Notes and names are not marked there, since contents and repeated table heads show them again. */
  inHeading: boolean
}

/** A link out of the document, or to a place in it; one that leads nowhere in a PDF is only its text. */
export function openLink(address: string, { out, context }: Scope): void {
  const target = out.isIn('link') ? undefined : context.linkTarget(address)
  if (target) out.open('link', `#link(${target})[`)
  else out.open('link', '', '')
}
