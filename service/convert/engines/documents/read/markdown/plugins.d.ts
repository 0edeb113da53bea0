declare module 'markdown-it-*' {
  import type MarkdownIt from 'markdown-it'
  export default function plugin(parser: MarkdownIt): void
}
