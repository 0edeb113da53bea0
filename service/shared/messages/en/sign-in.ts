/** The page that signs a browser in. */
export const signIn = {
  'signIn.title': 'Sign in to Refile',
  'signIn.once': 'This signs this browser in. The link works once, and for a short time.',
  'signIn.button': 'Sign in',
  'signIn.over': 'This link was used already, or it is too old. Ask whoever runs this service for a new one.',
  'signIn.ask': 'You need a link to sign in. Ask whoever runs this service for one.',
  'signIn.with': 'Sign in with {provider}',
  'signIn.choose': 'Use the account that you have with {provider}.',
  'signIn.noAccount':
    '{provider} knows you, but there is no account for you here. Ask whoever runs this service for one.',
  'signIn.failed': 'Signing in with {provider} did not work. Try again.',
  'signIn.done': 'You are signed in.',
  'signIn.continue': 'Continue',
} as const
