declare module 'markdown-it-footnote' {
  import type MarkdownIt from 'markdown-it'
  export default function footnotes(parser: MarkdownIt): void
}

declare module 'markdown-it-task-lists' {
  import type MarkdownIt from 'markdown-it'
  export default function taskLists(parser: MarkdownIt): void
}
