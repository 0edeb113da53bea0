/** Corrects what Swagger UI reports wrongly to assistive technology, after each rendering. */
export function improve(root: HTMLElement): void {
  new MutationObserver(() => mend(root)).observe(root, { childList: true, subtree: true })
}

const words = { servers: 'Server', field: 'Value' }

function mend(root: HTMLElement): void {
  // The title is a heading of the first level, and none of the second level follows.
  for (const tag of root.querySelectorAll('h3.opblock-tag')) tag.setAttribute('aria-level', '2')
  // A link inside the button that opens an operation: only the button should be focusable.
  for (const link of root.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href')
  for (const field of root.querySelectorAll('select:not([aria-label])')) {
    field.setAttribute('aria-label', field.closest('.servers') ? words.servers : words.field)
  }
}
