import { defaultColor } from '../../../src/core/text/color.ts'
import type { components } from '../../widget/api.d.ts'
import { pageText } from '../core/page-text.ts'
import type { Settings } from '../projects/settings.ts'
import type { WidgetValues } from './values.ts'

/** The contents of the widget preview: the unsaved settings, and a sample conversation. */

type Schemas = components['schemas']
export type PreviewView = 'home' | 'conversation' | 'details' | 'away' | 'proactive'

const id = '00000000-0000-7000-8000-000000000000'
const operator = () => ({ name: pageText.widget.sample.name, avatar_url: null })

function tomorrow(): string {
  const date = new Date()
  date.setDate(date.getDate() + 1)
  date.setHours(9, 0, 0, 0)
  return date.toISOString()
}

const colorOf = (color: string, project: Settings): string =>
  /^#[0-9a-f]{6}$/i.test(color) ? color : (project.color ?? defaultColor)

interface Shown {
  values: WidgetValues
  locale: string
  project: Settings
  view: PreviewView
}

const configOf = ({ values, locale, project, view }: Shown): Schemas['WidgetConfig'] => ({
  name: project.name,
  color: colorOf(values.color, project),
  logo_url: project.logo_url,
  position: values.position as 'left' | 'right',
  locale,
  texts: values.texts[locale] ?? {},
  // Outside the opening hours, the away message is shown where the conversation would be.
  prechat_fields: (view === 'away' ? [] : values.prechat_fields).map(({ labels, ...field }) => ({
    ...field,
    label: labels[locale] || Object.values(labels).find(Boolean) || '',
  })),
  hours:
    values.hours.is_on || view === 'away'
      ? {
          is_open: view !== 'away',
          opens_at: view === 'away' ? tomorrow() : null,
          timezone: values.hours.timezone,
        }
      : null,
  features: {
    knowledge: values.shows_knowledge,
    files: values.takes_files,
    rating: values.asks_rating,
    telegram: false,
    max_file_bytes: Number(values.max_file_mb) * 1024 * 1024,
  },
  requires_signature: values.requires_signature,
  operators: values.shows_operators ? [operator()] : [],
  proactive_messages: [],
})

function sayPart(n: number, sender: 'visitor' | 'operator', now: string): Schemas['VisitorMessage'] {
  const isOwn = sender === 'visitor'
  const words = pageText.widget.sample[sender]
  return {
    id: `${id.slice(0, -1)}${n}`,
    ticket_id: id,
    client_id: null,
    sender_type: isOwn ? 'contact' : 'operator',
    sender_name: isOwn ? null : pageText.widget.sample.name,
    sender_avatar_url: null,
    content_html: `<p>${words}</p>`,
    preview: words,
    media: [],
    reply_to_id: null,
    reactions: isOwn ? [] : [{ emoji: '👍', reactor_kind: 'contact', count: 1 }],
    created_at: now,
    edited_at: null,
  }
}

const ticketOf = (last: Schemas['VisitorMessage'], now: string): Schemas['VisitorTicket'] => ({
  id,
  short_id: '1',
  subject: pageText.widget.sample.visitor,
  status: 'open',
  last_message: last,
  unread_count: 0,
  seen_at: null,
  rating: null,
  is_rateable: false,
  is_emailable: false,
  telegram_username: null,
  operator: operator(),
  created_at: now,
  updated_at: now,
})

/** The message from the preview to the frame, which web/widget/frame/preview.ts receives. */
export function makeSample(shown: Shown, theme: 'light' | 'dark') {
  const now = new Date().toISOString()
  const messages = [sayPart(1, 'visitor', now), sayPart(2, 'operator', now)]
  return {
    type: 'preview',
    config: configOf(shown),
    locale: shown.locale,
    view: shown.view === 'away' ? 'details' : shown.view === 'proactive' ? 'home' : shown.view,
    theme,
    ticket: ticketOf(messages[1]!, now),
    messages,
  }
}
