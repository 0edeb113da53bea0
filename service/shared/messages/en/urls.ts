/** Why converting from a URL is refused, and why a request to the internet failed. */
export const urls = {
  'url_fetch.invalid_url': 'inputUrl is not a valid URL.',
  'url_fetch.invalid_scheme': 'inputUrl must begin with https://.',
  'url_fetch.private_ip':
    'inputUrl must name a host of the public internet: no IP address, and no name that leads to this machine or a private network.',
  'url_fetch.dns_failure':
    'The host of inputUrl could not be found. Check the name, and the connection to the internet.',
  'url_fetch.timeout': 'The server did not answer within 30 seconds, or stopped sending. Try again later.',
  'url_fetch.too_large':
    'The file at inputUrl is larger than the {megabytes, number} MB that this conversion takes. Nothing of it was kept.',
  'url_fetch.http_error':
    'The server answered with the error {status} instead of the file. Open the URL in a browser to see why.',
  'url_fetch.unreachable':
    'The server of inputUrl could not be connected to. Check the URL and try again later.',
  'url_fetch.url_expired':
    'The server refused access to inputUrl (403). If it is a presigned link, it has expired: make a new one.',
  'url_fetch.redirect_loop': 'inputUrl redirects more than 3 times. Send the address it ends at.',
  'url_fetch.redirect_denied':
    'inputUrl redirects to an address that Refile does not fetch from: only https and public hosts.',
  'url_fetch.invalid_content':
    'What the server sent is not a file to convert, but {kind, select, empty {nothing at all} other {a web page}}. Check the URL; it may need a sign-in.',
  'url_fetch.broken_off':
    'The connection to the server of inputUrl broke in the middle of the file. Try again.',
  'url_fetch.no_filename':
    'Neither the URL nor the server says what the file is called. Use a URL that ends in a file name.',
  'url_fetch.domain_circuit_open':
    '{host} failed several times within a minute and is left alone for a while. Try again in {seconds, plural, one {# second} other {# seconds}}.',
  'url_fetch.mutually_exclusive': 'Send either a file or an inputUrl, not both.',
  'url_fetch.output_url_reserved': 'outputUrl is reserved. Leave it out.',
  'url_fetch.disabled':
    'Fetching from URLs is turned off here (REFILE_URL_INPUT or REFILE_OFFLINE). Upload the file.',
  'url_fetch.missing_source_format': 'Set "sourceFormat", for example "png".',
  'url_fetch.guest_not_allowed': 'Guest keys may not convert from a URL.',
  'url_fetch.rate_limited':
    'At most {most, plural, one {# URL} other {# URLs}} of an account are fetched at once. Try again when one has arrived.',

  'network.offline':
    'Refile is set to stay offline (REFILE_OFFLINE), so nothing is requested from the internet.',
  'network.invalid_url': 'The address is not a valid URL.',
  'network.invalid_scheme': 'Only https addresses are requested.',
  'network.credentials': 'An address may not contain a user name or password.',
  'network.private_address': '{host} is not on the public internet, and Refile connects to nothing else.',
  'network.too_many_redirects': '{host} redirects more than {most, plural, one {# time} other {# times}}.',
  'network.too_large': '{host} sends more than expected, so the transfer was stopped.',
  'network.dns_failure': '{host} could not be found. Check the connection to the internet and try again.',
  'network.unreachable': '{host} could not be reached. Check the connection to the internet and try again.',
  'network.timeout': 'The server took too long to answer. Try again later.',
} as const
