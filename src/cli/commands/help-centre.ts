import { changeHelpCentre, type HelpCentreChange, helpPath, readLocale } from '../../knowledge/knowledge.ts'
import { type AuditedChange, changeAudited } from '../audited.ts'
import { type Command, command } from '../command.ts'
import { UsageError, type Values } from '../parse.ts'
import { drawRecords } from '../table.ts'

function wanted(option: string, what: string, given: string): UsageError {
  return new UsageError(`--${option} must be ${what}, not "${given}"`)
}

function readSlug(text: string): string {
  if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && text.length <= 63) return text
  throw wanted('slug', 'at most 63 lower-case letters, digits and single hyphens', text)
}

function readColor(text: string): string | null {
  if (text === 'none') return null
  if (/^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase()
  throw wanted('color', 'a color such as #1a73e8, or none', text)
}

function readLogo(text: string): string | null {
  if (text === 'none') return null
  if (URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)) return new URL(text).href
  throw wanted('logo', 'an http or https address, or none', text)
}

function readLanguage(text: string): string {
  const locale = readLocale(text)
  if (locale) return locale
  throw wanted('locale', 'a language tag such as en or pt-BR', text)
}

function readPublic(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw wanted('public', 'yes or no', text)
}

const readChange = ({ slug, color, logo, locale, public: isPublic }: Values): HelpCentreChange => ({
  ...(slug && { slug: readSlug(slug) }),
  ...(color && { color: readColor(color) }),
  ...(logo && { logo_url: readLogo(logo) }),
  ...(locale && { default_locale: readLanguage(locale) }),
  ...(isPublic && { has_help_centre: readPublic(isPublic) }),
})

export const helpCentreCommands: Command[] = [
  command(
    {
      name: 'project help',
      about: "Shows or changes a project's public help centre: address, appearance and language",
      arguments: ['ID'],
      optional: ['slug', 'color', 'logo', 'locale', 'public'],
    },
    async ({ db, config }, { ID: id = '', ...values }) => {
      const change = readChange(values)
      const noted: AuditedChange = {
        action: 'project.help_centre_changed',
        target: { type: 'project', id },
        detail: { ...change },
      }
      const { slug, ...rest } = await changeAudited(
        db,
        id,
        tx => changeHelpCentre(tx, id, change),
        () => (Object.keys(change).length ? noted : null),
      )
      return { slug, ...rest, url: slug && `${config.publicUrl.replace(/\/$/, '')}${helpPath(slug)}` }
    },
    record => drawRecords([record], ''),
  ),
]
