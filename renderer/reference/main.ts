/** The API reference at `/reference`: Swagger UI with the service's own description, without anything from the internet. */
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import './reference.css'

// That of `main.tsx`; imported, it would bring all that the page begins with.
const THEME_KEY = 'refile-theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const showTheme = () => {
  const chosen = localStorage.getItem(THEME_KEY) ?? 'auto'
  const isDark = chosen === 'dark' || (chosen === 'auto' && dark.matches)
  document.documentElement.classList.toggle('dark-mode', isDark)
}
showTheme()
dark.addEventListener('change', showTheme)
window.addEventListener('storage', showTheme)

const place = document.getElementById('reference')
if (place) {
  new MutationObserver(() => mend(place)).observe(place, { childList: true, subtree: true })
  SwaggerUI({
    url: '/openapi.json',
    domNode: place,
    deepLinking: true,
    validatorUrl: null,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    tryItOutEnabled: false,
  })
}

/** Corrects what Swagger UI reports wrongly to assistive technology. */
function mend(root: HTMLElement): void {
  // The title is a heading of the first level, and none of the second level follows.
  for (const tag of root.querySelectorAll('h3.opblock-tag')) tag.setAttribute('aria-level', '2')
  // A link inside the button that opens an operation: only the button should be focusable.
  for (const link of root.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href')
  for (const field of root.querySelectorAll('select:not([aria-label])')) {
    field.setAttribute('aria-label', field.closest('.servers') ? 'Server' : 'Value')
  }
}
