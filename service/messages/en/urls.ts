/** Why a URL is not converted from, and why a request to the internet failed. */
export const urls = {
  'url_fetch.invalid_url': 'inputUrl is not a valid URL.',
  'url_fetch.invalid_scheme': 'inputUrl must begin with https://.',
  'url_fetch.private_ip': 'inputUrl must name a public host, not an IP address.',
  'url_fetch.mutually_exclusive': 'Send either a file or an inputUrl, not both.',
  'url_fetch.output_url_reserved': 'outputUrl is reserved. Leave it out.',
  'url_fetch.disabled': 'This version of Refile does not fetch from URLs. Upload the file.',
  'url_fetch.missing_source_format': 'Say what the file is in the field "sourceFormat".',
  'url_fetch.guest_not_allowed': 'Guest keys may not convert from a URL.',

  'network.offline':
    'Refile is set to stay offline (REFILE_OFFLINE), so nothing is requested from the internet.',
  'network.invalid_url': 'The address is not a valid URL.',
  'network.invalid_scheme': 'Only https addresses are requested.',
  'network.credentials': 'An address may not contain a user name or password.',
  'network.private_address': '{host} is not a host of the public internet, and Refile connects to no other.',
  'network.too_many_redirects': '{host} redirects more than {most, plural, one {# time} other {# times}}.',
  'network.too_large': '{host} sends more than expected, so the transfer was stopped.',
  'network.unreachable': '{host} could not be reached. Check the connection to the internet and try again.',
  'network.timeout': 'The server took too long to answer. Try again later.',
} as const
