/** The API reference at `/reference`: Swagger UI with the service's own description, without anything from the internet. */
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import './reference.css'
import { improve } from './accessible.ts'

// The page's own; imported, it would bring all that the page begins with.
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
  improve(place)
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
