import type { Sentence } from './sentences.ts'

/** Something that was said and when. */
export interface Quote {
  text: string
  start: number
  speaker: string | undefined
}

export interface Action extends Quote {
  /** Words that say when it is due, such as `by Friday`. */
  due: string | undefined
}

interface Signs {
  /** A duty that someone accepts or assigns. */
  duty: RegExp
  /** Words that say when it is due. */
  due: RegExp
}

/** Signs of an action item by language. A sentence that matches is only a candidate. */
const signs: Record<string, Signs> = {
  en: {
    // A capitalised word is a name or begins the sentence; without a capital, only pronouns can accept a duty.
    duty: /(?<![\p{L}'])(?:(?:[Ii]|[Ww]e|[Yy]ou|[Hh]e|[Ss]he|[Tt]hey|\p{Lu}\p{Ll}+)(?:'ll| will| shall| needs? to| ha(?:ve|s) to| must)(?! (?:be|have|see|not know)(?!\p{L}))|(?:[Ii]'m|[Ii] am|[Ww]e're|[Ww]e are|[Yy]ou're|[Yy]ou are|[Hh]e's|[Hh]e is|[Ss]he's|[Ss]he is) going to|[Pp]lease|[Ll]et's|[Ll]et us|[Cc]an you|[Cc]ould you|[Mm]ake sure|[Ff]ollow up|[Aa]ction items?|[Tt]o-?dos?)(?!\p{L})/u,
    due: /\b(?:by|until|before|no later than|on) (?:(?:next |this |the end of )*(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|month|quarter|year|day|tomorrow|tonight|noon|january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{1,2}(?:st|nd|rd|th)?)?)\b|\b(?:tomorrow|next week|this week|today)\b/i,
  },
  de: {
    duty: /\b(?:(?:ich|er|sie|wir|ihr) (?:werde|wird|werden|werdet|muss|müssen|müsst|soll|sollen|sollt|kümmere|kümmert|kümmern)|bitte|kannst du|könnten sie|können sie|lass(?:t)? uns|aufgabe)(?!\p{L})/iu,
    due: /\b(?:bis(?: zum| zur| nächsten| ende)?|vor|am|nächsten|nächste) (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|woche|monat|ende|nächster woche)\b|\b(?:morgen|heute)\b/i,
  },
  fr: {
    duty: /(?<!\p{L})(?:(?:je|tu|il|elle|on|nous|vous|ils|elles) (?:vais|vas|va|allons|allez|vont|dois|doit|devons|devez|doivent)|il faut|s'il (?:te|vous) plaît|peux-tu|pouvez-vous|n'oubli(?:e|ez) pas)(?!\p{L})/iu,
    due: /(?<!\p{L})(?:d'ici|avant|pour|jusqu'à) (?:à )?(?:la |le |ce )?(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain|fin|semaine|mois)(?!\p{L})|(?<!\p{L})(?:demain|aujourd'hui|la semaine prochaine)(?!\p{L})/iu,
  },
  es: {
    duty: /(?<!\p{L})(?:(?:voy|vas|va|vamos|van) a|(?:tengo|tienes|tiene|tenemos|tienen) que|(?:debo|debes|debe|debemos|deben)|por favor|hay que|puedes|podría)(?!\p{L})/iu,
    due: /(?<!\p{L})(?:para|antes de|hasta) (?:el |la |fin de )*(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|mañana|semana|mes)(?!\p{L})|(?<!\p{L})(?:mañana|hoy|la próxima semana)(?!\p{L})/iu,
  },
}

const signsOf = (language: string) => signs[language.split('-')[0] ?? '']

/** Whether action items can be found in a language. */
export const knowsActions = (language: string): boolean => signsOf(language) !== undefined

/** English subjects that cannot have a duty, such as "it will rain". */
const NO_ONE =
  /\b(?:it|this|that|there|which|what|who|nobody|everything|nothing)(?:'ll| will| shall| needs? to| has to| must)\b/i

/** The sentence as a candidate for an action item, or undefined. */
export function actionOf({ text, start, speaker }: Sentence, language: string): Action | undefined {
  const known = signsOf(language)
  const words = text.split(' ').length
  if (!known || words < 3 || words > 60 || !known.duty.test(text)) return undefined
  const isRequest =
    /\b(?:can|could) you\b|kannst du|können sie|könnten sie|peux-tu|pouvez-vous|puedes|podría/i.test(text)
  if ((text.endsWith('?') && !isRequest) || (language.startsWith('en') && NO_ONE.test(text))) return undefined
  return { text, start, speaker, due: known.due.exec(text)?.[0] }
}
