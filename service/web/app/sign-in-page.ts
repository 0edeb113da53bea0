import type { FastifyReply, FastifyRequest } from 'fastify'
import { bestLanguage, languageTags } from '../../../languages/tags.ts'
import { inLanguage, loadLanguage } from '../../shared/messages/languages.ts'
import { type Message, message } from '../../shared/messages/message.ts'
import { render } from '../../shared/messages/render.ts'
import { languageOf } from '../http/language.ts'

/** What the page says, and what it offers. */
export interface SignInPage {
  status?: number
  text: Message
  /** A button: posts to the page's own address, or leads to another one. */
  button?: { text: Message; href?: string }
  /** Where the browser goes by itself; then everything it sends comes from this page, and not from another site. */
  next?: string
}

/** Nothing but the page's own style and the icon; the form is sent to this service only. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#f6f5f2, #1b1a18); color: light-dark(#23211e, #eeece8) }
body { min-height: 100vh; margin: 0; display: grid; place-items: center }
main { max-width: 26rem; margin: 1.5rem; padding: 2rem; text-align: center; border-radius: 1rem; background: light-dark(#fff, #262421); box-shadow: 0 1px 3px #0003 }
h1 { font-size: 1.4rem; margin: 1rem 0 .5rem }
p { margin: 0 0 1.5rem }
.button { display: inline-block; padding: .65rem 1.6rem; border: 0; border-radius: .5rem; background: light-dark(#23211e, #eeece8); color: light-dark(#fff, #1b1a18); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer }
.button:focus-visible { outline: 3px solid #3b82f6; outline-offset: 2px }
`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, character => entities[character]!)
const translated = (text: Message) => escaped(render(text))

/** Answers with a page that needs no script, in the language of the app in this browser, or else the browser's. */
export async function sendSignInPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { status = 200, ...page }: SignInPage,
): Promise<FastifyReply> {
  const { cookie = '', 'accept-language': accepted = '' } = request.headers
  const asked = accepted.split(',').map(tag => tag.split(';', 1)[0]!.trim())
  const language = cookie.includes('refile_language=') ? languageOf(request) : bestLanguage(asked)
  await loadLanguage(language)
  return (
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      // The address has a token. Without any referrer the form would have no origin either.
      .header('referrer-policy', 'same-origin')
      .header('cross-origin-opener-policy', 'same-origin')
      .send(inLanguage(language, () => html(page, language)))
  )
}

function html({ text, button, next }: SignInPage, language: keyof typeof languageTags): string {
  const { direction } = languageTags[language]
  const shown =
    button &&
    (button.href === undefined
      ? `<form method="post"><button class="button" autofocus>${translated(button.text)}</button></form>`
      : `<a class="button" href="${escaped(button.href)}">${translated(button.text)}</a>`)
  const title = translated(message('signIn.title'))
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
${next === undefined ? '' : `<meta http-equiv="refresh" content="0;url=${escaped(next)}">`}
<link rel="icon" href="/icon.svg"><style>${STYLE}</style></head>
<body><main><img src="/icon.svg" alt="" width="56" height="56"><h1>${title}</h1><p>${translated(text)}</p>
${shown ?? ''}</main></body>
</html>
`
}
