import Type, { type Static } from 'typebox'
import { nullable, text } from '../core/schema.ts'

const color = nullable(text(7, { pattern: '^#[0-9a-f]{6}$', examples: ['#1a73e8'] }))
const days = (minimum: number) => Type.Integer({ minimum, maximum: 3_650 })

const own = {
  name: text(255, { minLength: 1, format: 'name' }),
  color,
  reopen_days: {
    ...days(0),
    description: 'For how many days a message from the contact reopens a closed ticket',
  },
  auto_close_days: nullable({
    ...days(1),
    description: 'After how many days of waiting for the contact a ticket is closed; null means never',
  }),
  slug: text(63, {
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    description: 'The part of the help centre URL that identifies the project',
  }),
  default_locale: text(35, { examples: ['en'] }),
  has_help_centre: Type.Boolean(),
  has_first_steps: Type.Boolean({
    description: 'Whether the dashboard shows the steps of setting up the project',
  }),
  timezone: text(64, {
    description: 'The time zone in which dates of filters and views are days',
    examples: ['Europe/Berlin'],
  }),
}

export const projectSettings = Type.Object({
  ...own,
  slug: nullable(own.slug),
  logo_url: nullable(Type.String()),
  version: Type.Integer(),
})
export type ProjectSettings = Static<typeof projectSettings>

export const projectSettingsChange = Type.Partial(Type.Object(own))
export type ProjectSettingsChange = Static<typeof projectSettingsChange>
