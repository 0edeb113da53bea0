import type { Catalogue, Edge } from '../../convert/catalogue/catalogue.ts'
import { withoutOnce, withoutSecrets } from '../../convert/catalogue/options.ts'
import { validateOptions } from '../../convert/catalogue/schema.ts'
import { RequestError } from '../../shared/errors.ts'
import { type Message, message } from '../../shared/messages/message.ts'
import { guid } from '../../store/interfaces/ids.ts'
import type { Choice, LastChoice, PresetRecord, PresetStore } from '../../store/interfaces/presets.ts'
import { builtInPresets } from './built-in.ts'

/** A preset as received; options may be missing. */
export interface GivenPreset {
  name: string
  choices: Record<string, { target: string; options?: Choice['options'] }>
}

export interface Preset extends PresetRecord {
  builtIn: boolean
  lastUsedAt: number | null
}

/** How many presets of its own an account may have. */
const PRESET_LIMIT = 100

const isBuiltIn = (id: string) => builtInPresets.some(preset => preset.id === id)

/** Presets: the built-in ones, those of accounts, and the last choice for each pair of formats. */
export class Presets {
  readonly #store: PresetStore
  readonly #catalogue: Catalogue

  constructor(store: PresetStore, catalogue: Catalogue) {
    this.#store = store
    this.#catalogue = catalogue
  }

  /** All presets of an account, the built-in ones first; the page supplies their names. */
  async list(accountId: string): Promise<Preset[]> {
    const [own, uses] = await Promise.all([this.#store.list(accountId), this.#store.uses(accountId)])
    const lastUsedAt = (id: string) => uses.get(id) ?? null
    return [
      ...builtInPresets.map(preset => ({
        ...preset,
        name: preset.id,
        builtIn: true,
        lastUsedAt: lastUsedAt(preset.id),
      })),
      ...own.map(preset => ({ ...preset, builtIn: false, lastUsedAt: lastUsedAt(preset.id) })),
    ]
  }

  /**
   * Adds presets, all or none; one that already exists with the same name and choices is skipped.
   * @throws RequestError request.invalid_parameter if a choice names a conversion or option that does not exist
   */
  async add(accountId: string, given: readonly GivenPreset[]): Promise<PresetRecord[]> {
    const own = await this.#store.list(accountId)
    const known = new Set(own.map(contentOf))
    const added = given
      .map(preset => ({ id: guid(), ...this.#checked(preset) }))
      .filter(preset => !known.has(contentOf(preset)))
    if (own.length + added.length > PRESET_LIMIT) {
      throw refusal(message('presets.too_many', { limit: PRESET_LIMIT }))
    }
    await this.#store.add(accountId, added)
    return added
  }

  /** @throws RequestError request.not_found, request.invalid_parameter */
  async change(accountId: string, id: string, given: GivenPreset): Promise<PresetRecord> {
    const preset = { id, ...this.#checked(given) }
    if (!(await this.#store.change(accountId, preset))) throw notFound()
    return preset
  }

  /** @throws RequestError request.not_found */
  async remove(accountId: string, id: string): Promise<void> {
    if (!(await this.#store.remove(accountId, id))) throw notFound()
  }

  /**
   * Records that files are converted with a preset.
   * @throws RequestError request.not_found
   */
  async use(accountId: string, id: string): Promise<void> {
    const own = isBuiltIn(id) ? [] : await this.#store.list(accountId)
    if (!isBuiltIn(id) && !own.some(preset => preset.id === id)) throw notFound()
    await this.#store.touch(accountId, id, Date.now())
  }

  /** The last choice for each pair, latest first, without those whose pair or options no longer exist. */
  async lastChoices(accountId: string): Promise<LastChoice[]> {
    const choices = await this.#store.choices(accountId)
    return choices.filter(({ source, target, options }) => {
      const edge = this.#edgeOf(source, target)
      return edge && !('problem' in validateOptions(edge, options))
    })
  }

  /**
   * Stores what was chosen for pairs of formats, without passwords and options about a single file, such as a page
   * range.
   * @throws RequestError request.invalid_parameter
   */
  async remember(
    accountId: string,
    choices: readonly { source: string; target: string; options: Choice['options'] }[],
  ): Promise<void> {
    const usedAt = Date.now()
    await this.#store.remember(
      accountId,
      choices.map(({ source, ...given }) => {
        const choice = this.#checkedChoice(source, given)
        const declared = this.#edgeOf(source, choice.target)?.converter.options ?? {}
        return { source, usedAt, target: choice.target, options: withoutOnce(choice.options, declared) }
      }),
    )
  }

  #checked({ name, choices }: GivenPreset): Omit<PresetRecord, 'id'> {
    const checked = Object.entries(choices).map(([source, choice]) => [
      source,
      this.#checkedChoice(source, choice),
    ])
    return { name: name.trim(), choices: Object.fromEntries(checked) }
  }

  #checkedChoice(source: string, { target, options = {} }: GivenPreset['choices'][string]): Choice {
    const edge = this.#edgeOf(source, target)
    if (!edge) throw refusal(message('presets.no_such_pair', { source, target }))
    const validated = validateOptions(edge, options)
    if ('problem' in validated) throw refusal(validated.problem)
    // A password belongs to one file, so it is not stored.
    return { target: edge.targetKey, options: withoutSecrets(options, edge.converter.options) }
  }

  #edgeOf(source: string, target: string): Edge | undefined {
    const found = this.#catalogue.resolve(source, target)
    return found.kind === 'found' ? found.edge : undefined
  }
}

const contentOf = ({ name, choices }: Omit<PresetRecord, 'id'>): string => JSON.stringify([name, choices])

const refusal = (reason: Message) => new RequestError('request.invalid_parameter', reason)
const notFound = () => new RequestError('request.not_found', message('presets.not_found'))
