/** Where the chosen theme is stored, which the API reference follows too. */
export const THEME_KEY = 'refile-theme'
