/** Why requests are refused: one message for each code, used if nothing more precise is known, and the more precise ones. */
export const requests = {
  'request.invalid_content_type': 'Send the file as multipart/form-data, or an inputUrl as application/json.',
  'request.unknown_content_type': 'The content type of the body is missing or not understood.',
  'request.wrong_length': 'The body is not as long as its header Content-Length says.',
  'request.not_json': 'The body is not valid JSON.',
  'request.not_an_object': 'The body is not a JSON object.',
  'request.broken_off': 'The body is incomplete or not valid multipart/form-data.',
  'request.no_boundary': 'The content type multipart/form-data has no boundary.',
  'request.field_too_long': 'The field "{name}" is too long.',
  'request.repeated': '"{name}" is given more than once. Give it once.',
  'request.too_many_fields': 'The body has too many fields.',
  'request.no_files': 'Attach the file as the form field "file".',
  'request.no_input_url': 'Give the address of the file as "inputUrl".',
  'request.no_model': 'Attach the model as the form field "file".',
  'request.file_gone': 'This file is no longer here. Drop it again.',
  'request.file_changed': '"{name}" was changed, moved or deleted. Add it again.',
  'request.empty_file': '"{name}" is empty.',
  'request.invalid_extension': '"{name}" is not accepted as {source}: its content is {content}.',
  'request.unknown_extension':
    '"{name}" is not accepted as {source}: the extension "{extension}" is not one of this format.',
  'request.not_pages': '{name} cannot become pages of a PDF. Leave it out, or convert it by itself.',
  'request.not_a_video': '{name} has no moving picture to join. Leave it out, or convert it by itself.',
  'request.not_a_recording': '{name} has no sound to join. Leave it out, or convert it by itself.',
  'request.multiple_files': 'Send one file in each request; this one has several.',
  'request.file_too_large': 'The file is larger than {megabytes} MB, the limit for this conversion.',
  'request.body_too_large': 'The body is larger than this address accepts.',
  'request.invalid_parameter': 'A parameter of the request is not valid.',
  'request.not_a_time': '"{text}" is not a time such as 2026-11-22T08:00:00Z.',
  'request.malformed': 'The request is not valid HTTP.',
  'request.headers_too_large': 'The address and headers of the request are too long.',
  'request.timeout': 'No data arrived for too long; the connection was closed. Send the request again.',
  'request.forbidden_origin': 'Web pages of other origins may not call this service.',
  'request.foreign_host': 'This address does not answer for the host you asked for.',
  'request.not_found': 'There is nothing at this address.',
  'request.method_not_allowed':
    'This address does not take this method. The header Allow says which ones it takes.',

  'convert.failed': 'The file could not be converted.',
  'gate.unknown_value': '"{value}" is not a value of the field "{name}".',
  'gate.margin_picture':
    'The pictures of "{name}" cannot be put into the margin of a page. Leave them out, or put them into the page.',
  'gate.no_index': 'Attach the page as the file "index.html", with every file that it names.',
  'gate.no_addresses':
    'Refile loads no web pages. Send the page itself, with its files, to /forms/chromium/convert/html.',
  'gate.webhook_of_errors':
    'Name an address for errors, too: Gotenberg-Webhook-Error-Url or Gotenberg-Webhook-Events-Url.',
  'gate.no_translation':
    'Refile writes down speech in the language that is spoken, and does not translate it. Use /v1/audio/transcriptions.',
  'convert.idempotency_key_reused':
    'Something else was sent under this Idempotency-Key before. Use a new key for a different request.',
  'convert.missing_target_format': 'Set "targetFormat", for example "jpg".',
  'convert.invalid_options': 'The options are not those of this conversion.',
  'convert.options_not_json': 'options is not valid JSON.',
  'convert.not_steps':
    'steps is a JSON list of 1 to {most} objects with targetFormat and, if need be, options. It takes the place of the fields targetFormat and options.',
  'convert.options_not_an_object': 'options must be a JSON object.',
  'convert.unknown_field':
    '"{name}" is not a field of this request. Conversion options go into the field "options" as JSON.',
  'convert.unsupported_source_format': 'Files of the format "{source}" cannot be converted.',
  'convert.unknown_source_format':
    'The format of the file cannot be recognised from its name or its content. Give sourceFormat.',
  'convert.unsupported_format_pair': '{source} cannot be converted to "{target}". It can become {targets}.',

  'estimate.unsupported_format_pair': '{source} cannot be converted to "{target}". It can become {targets}.',
  'estimate.unsupported_source_format': 'No conversion takes "{source}".',
  'estimate.invalid_variant': '"{variant}" is not a variant of this conversion. Valid variants: {variants}.',
  'estimate.no_variants': 'This conversion has no variants. Leave "variant" out.',
  'schema.unsupported_format_pair': '{source} cannot be converted to "{target}". It can become {targets}.',
  'schema.unsupported_source_format': 'No conversion takes "{source}".',
  'schema.converter_not_found': 'There is no converter from {source} to {target}.',

  // The causes are deliberately not distinguished, so that attackers cannot learn from the answer.
  'api_key.invalid_or_ip_not_allowed': 'The API key is missing, invalid, or not allowed from this address.',
  'session.required': 'Open Refile from its icon to use this page.',
  'session.not_owner':
    'Files and folders of the machine that Refile runs on are for its owner. Upload files, and download their results.',
  'keys.invalid_address': '"{entry}" is neither an IP address nor a CIDR range.',
  'keys.expired': 'The expiry must be a date in the future.',
  'keys.not_found': 'There is no such key.',

  'entitlements.insufficient_credits':
    'This conversion costs {required, plural, one {# credit} other {# credits}}; {available, plural, one {# is} other {# are}} available. Required: {required}, available: {available}.',
  'entitlements.over_budget':
    'This conversion costs {required, plural, one {# credit} other {# credits}}; the API key has {left, number} of {budget, number} left this month (UTC). Required: {required}, available: {left}.',
  'jobs.forbidden': 'This job belongs to another account.',
  'jobs.not_found': 'There is no job with this id.',
  'jobs.unfinished': 'The conversion takes longer. Its job goes on at the address in the header Location.',
  'jobs.not_ready': 'The job has not finished yet. Poll its status, then download.',
  'jobs.without_output': 'The job ended as {status} and has no output.',
  'jobs.not_cancellable': 'The job has already completed, failed or been canceled.',
  'jobs.not_deletable': 'The job is queued or running. Cancel it first.',
  'jobs.expired': 'The output has been cleaned up after its retention time. Convert again.',
  'jobs.all_expired': 'None of these jobs still has an output.',
  'queue.limit_exceeded':
    'This account has as many queued and running jobs as it may have. Wait for one to finish.',
  rate_limited:
    'This address makes more than {perSecond, plural, one {# request} other {# requests}} a second. Slow down.',

  'server.internal_error': 'Something went wrong inside Refile. The log has the details.',
  'server.storage_failed': 'Refile could not write to its data folder ({code}). See the log of the service.',
  'server.outcome_unknown':
    'The service was interrupted and does not know whether this was done. Check before you try again: a conversion may be in the list of jobs, charged once.',
  'server.unavailable': 'The service cannot do this right now. Try again in a moment; nothing was charged.',
  'server.disk_full': 'The disk is full. Free some space and try again.',

  // The page that signs a browser in.
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
