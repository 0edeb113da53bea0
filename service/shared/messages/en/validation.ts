/** What is wrong with a value of a request; `path` names the value, such as `options.resize.width`. */
export const validation = {
  'validation.unknown_option': '{path} is not an option of this conversion.',
  'validation.unknown_property': '{path} is not known here.',
  'validation.required': '{path} is missing.',
  'validation.type':
    '{path} must be {type, select, integer {an integer} number {a number} boolean {true or false} string {a string} array {a list} object {an object} other {of another type}}.',
  'validation.choice': '{path} must be one of {choices}.',
  'validation.minimum': '{path} must be at least {limit}.',
  'validation.maximum': '{path} must be at most {limit}.',
  'validation.above': '{path} must be more than {limit}.',
  'validation.below': '{path} must be less than {limit}.',
  'validation.too_short':
    '{path} must have at least {limit, plural, one {# character} other {# characters}}.',
  'validation.too_long': '{path} must have at most {limit, plural, one {# character} other {# characters}}.',
  'validation.too_few': '{path} must have at least {limit, plural, one {# entry} other {# entries}}.',
  'validation.too_many': '{path} must have at most {limit, plural, one {# entry} other {# entries}}.',
  'validation.invalid_body': 'The body of the request is not valid.',
  'validation.pattern': '{path} is not valid. {description} Example: {example}',
  'validation.invalid': '{path} is not valid.',
} as const
