/** What a form says of its fields. */
export const forms = {
  'form.required': 'Enter a value.',
  'form.minimum': 'At least {value, number}{unit}.',
  'form.maximum': 'At most {value, number}{unit}.',
  'form.type': 'This is not a number.',
  'form.integer': 'Enter a whole number.',
  'form.maxLength': 'At most {value, number} characters.',
  'form.pattern': 'This does not have the expected form.',
  'form.enumeration': 'Choose one of the list.',
  'form.invalid': 'This value cannot be used.',
  'form.range': '{minimum, number} to {maximum, number}{unit}',
} as const
