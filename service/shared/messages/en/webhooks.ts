/** Why a webhook is refused in a request, and why it could not be delivered. */
export const webhooks = {
  'convert.invalid_webhook': 'The webhook of this request is not valid.',
  'webhook.no_url': 'webhookSecret and webhookEvents belong to a webhookUrl, which is missing.',
  'webhook.invalid_url': '{name} is not a valid URL of at most {most, number} characters.',
  'webhook.invalid_scheme': '{name} must begin with https://.',
  'webhook.credentials': '{name} may not contain a user name or password.',
  'webhook.local_host':
    '{name} must name a host of the public internet: no IP address, and no name below .local, .internal or .localhost.',
  'webhook.invalid_secret': 'webhookSecret must have {least, number} to {most, number} characters.',
  'webhook.invalid_key':
    'A webhookSecret that begins with whsec_ must continue with at least {least, number} bytes in Base64.',
  'webhook.guest':
    'A guest key has no webhooks. Ask for the state of the job instead, or use a key of the account.',
  'webhook.invalid_events': 'webhookEvents takes {events}, or several of them separated by commas.',
  'webhook.offline':
    'Refile is set to stay offline (REFILE_OFFLINE), so no webhook can be delivered. Poll the job instead.',
  'webhook.address_lost': 'Address lost with the file secrets.key',
  'webhook.not_replayable': 'This delivery is still under way, or no longer listed.',
  'webhook.timeout': 'The receiver did not answer within 10 seconds.',
  'webhook.refused': 'The receiver answered with {status}.',
  'webhook.not_delivered': 'The webhook could not be sent.',
} as const
