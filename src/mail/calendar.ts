import type Ical from 'ical.js'
import { lazyRequire } from '../core/async/lazy-require.ts'
import type { Invitation } from './mail.ts'

const load = lazyRequire<{ default?: typeof Ical } & typeof Ical>('ical.js')

const labels: Record<string, string> = {
  REQUEST: 'Invitation',
  PUBLISH: 'Event',
  ADD: 'Invitation',
  CANCEL: 'Cancelled',
  REPLY: 'Reply',
  COUNTER: 'Counter-proposal',
  DECLINECOUNTER: 'Counter-proposal declined',
  REFRESH: 'Request for details',
}

const replyStatuses: Record<string, string> = {
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
}

/** `2026-03-04 10:00 UTC` for a time with a time zone, otherwise the time or date as written. */
function describeTime(time: InstanceType<typeof Ical.Time>): { shown: string; iso: string } {
  if (time.isDate) return { shown: time.toString(), iso: time.toString() }
  const isFloating = time.zone?.tzid === 'floating'
  const iso = isFloating ? time.toString() : time.toJSDate().toISOString()
  return { shown: `${iso.slice(0, 16).replace('T', ' ')}${isFloating ? '' : ' UTC'}`, iso }
}

function addZones(ical: typeof Ical, calendar: InstanceType<typeof Ical.Component>): void {
  for (const zone of calendar.getAllSubcomponents('vtimezone'))
    ical.TimezoneService.register(new ical.Timezone(zone))
}

const textValue = (component: InstanceType<typeof Ical.Component>, name: string): string =>
  String(component.getFirstPropertyValue(name) ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 500)

function replyStatusOf(event: InstanceType<typeof Ical.Component>): string {
  const status = event.getFirstProperty('attendee')?.getFirstParameter('partstat') ?? ''
  return replyStatuses[status.toUpperCase()] ?? ''
}

/** A one-line summary of the first event in a calendar; null if there is no event or the text is not a calendar. */
export function readInvitation(text: string): Invitation | null {
  const ical = load().default ?? load()
  ical.TimezoneService.reset()
  try {
    const calendar = new ical.Component(ical.parse(text))
    addZones(ical, calendar)
    const event = calendar.getFirstSubcomponent('vevent') ?? calendar.getFirstSubcomponent('vtodo')
    if (!event) return null
    const method = textValue(calendar, 'method').toUpperCase() || 'PUBLISH'
    const title = textValue(event, 'summary')
    const location = textValue(event, 'location')
    const start = event.getFirstPropertyValue('dtstart')
    if (start !== null && !(start instanceof ical.Time)) return null
    const time = start ? describeTime(start) : null
    const details = [title, method === 'REPLY' && replyStatusOf(event), time?.shown, location]
      .filter(Boolean)
      .join(', ')
    return {
      summary: `${labels[method] ?? 'Event'}: ${details}`,
      title,
      location,
      start: time?.iso ?? null,
      method,
    }
  } catch {
    return null
  }
}
