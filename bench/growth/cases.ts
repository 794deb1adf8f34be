import type { Caller } from '../calls.ts'
import { commonest, oldWord, probes } from '../seed/words.ts'

/** One request, made for each size of project: `path` may need ids and cursors of that project. */
export interface Case {
  name: string
  group: 'tickets' | 'contacts' | 'messages' | 'search'
  path(sample: Sample): string
}

/** Ids, times and places of one project. */
export interface Sample {
  tickets: number
  heavyContact: string
  lightContact: string
  operator: string
  otherOperator: string
  department: string
  email: string
  phone: string
  name: string
  longTicket: string
  longMiddle: string
  longCursor: string
  ticket: string
  /** A cursor in the middle of all tickets, by sort. */
  cursors: Record<string, string>
  contactCursor: string
}

const names = ['created_at', 'updated_at', 'last_message_at']
export const sorts = names.flatMap(name => [`-${name}`, name])
const year = new Date().getUTCFullYear()
const middle = `${year - 1}-06-01`
const recent = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 19)
const old = `${year - 2}-01-01`

type Filter = [name: string, query: (sample: Sample) => string]
const fixed = (query: string): Filter => [query, () => query]

const words = [
  ...['new', 'open', 'pending', 'on_hold', 'closed', 'new,open,pending', 'open,closed'].map(word => `status=${word}`),
  ...['low', 'normal', 'high', 'urgent', 'high,urgent'].map(word => `priority=${word}`),
  ...['widget', 'email', 'api', 'telegram', 'absent'].map(word => `channel=${word}`),
  ...['tag-1', 'tag-20', 'tag-299', 'absent', 'tag-1,tag-299'].map(word => `tag=${word}`),
]

/** Every filter of the list of tickets, with common, rare and absent values. */
export const ticketFilters: Filter[] = [
  fixed(''),
  ...words.map(fixed),
  ['contact_id=heavy', s => `contact_id=${s.heavyContact}`],
  ['contact_id=light', s => `contact_id=${s.lightContact}`],
  ['operator_id=heavy', s => `operator_id=${s.operator}`],
  ['operator_id=two', s => `operator_id=${s.operator},${s.otherOperator}`],
  fixed('operator_id=none'),
  ['operator_id=one,none', s => `operator_id=${s.otherOperator},none`],
  ['department_id=heavy', s => `department_id=${s.department}`],
  fixed('department_id=none'),
  fixed('external_id=order-300'),
  fixed('external_id=absent'),
  fixed('is_spam=true'),
  ['created_after=yesterday', () => `created_after=${recent()}`],
  fixed(`created_after=${old}`),
  fixed(`created_before=${old}`),
  fixed(`created_after=${middle}&created_before=${year - 1}-06-03`),
  ['updated_after=yesterday', () => `updated_after=${recent()}`],
  fixed(`updated_after=${old}`),
  fixed(`updated_before=${old}`),
  ['closed_after=yesterday', () => `closed_after=${recent()}`],
  fixed(`closed_after=${old}`),
  fixed(`closed_before=${old}`),
  ['status=open&operator_id', s => `status=open&operator_id=${s.operator}`],
  ['status=closed&operator_id', s => `status=closed&operator_id=${s.otherOperator}`],
  ['status=new&operator_id=none&department_id', s => `status=new&operator_id=none&department_id=${s.department}`],
  fixed('status=new&priority=urgent'),
  fixed('status=closed&priority=urgent&channel=telegram'),
  fixed('status=closed&tag=tag-299'),
  fixed('status=open&tag=tag-1'),
  fixed('is_spam=true&status=open'),
  ['status=open&contact_id=heavy', s => `status=open&contact_id=${s.heavyContact}`],
  fixed(`status=new&created_before=${old}`),
  fixed(`status=on_hold&closed_after=${old}`),
  ['tag=tag-1&operator_id', s => `tag=tag-1&operator_id=${s.otherOperator}`],
]

const join = (...parts: string[]) => parts.filter(Boolean).join('&')

function ticketCases(): Case[] {
  const deepest = (s: Sample) => Math.min(500, s.tickets / 20)
  return ticketFilters.flatMap(([filter, query]) =>
    sorts.flatMap((sort): Case[] => {
      const name = (place: string) => `tickets ?${join(filter, `sort=${sort}`)} ${place}`.trimEnd()
      const path = (place: (sample: Sample) => string) => (s: Sample) =>
        `/tickets?${join(query(s), `sort=${sort}`, place(s))}`
      return [
        { name: name(''), group: 'tickets', path: path(() => '') },
        { name: name('(deep)'), group: 'tickets', path: path(s => `page=${deepest(s)}`) },
        { name: name('(cursor)'), group: 'tickets', path: path(s => `cursor=${s.cursors[sort]}`) },
      ]
    }),
  )
}

function contactCases(): Case[] {
  const filters: Filter[] = [
    ...['-created_at', 'created_at', '-updated_at', 'updated_at'].map(sort => fixed(`sort=${sort}`)),
    ['(deep)', s => `page=${Math.min(500, s.tickets / 100)}`],
    ['(deep by update)', s => `sort=-updated_at&page=${Math.min(500, s.tickets / 100)}`],
    ['(cursor)', s => `cursor=${s.contactCursor}`],
    ['email', s => `email=${encodeURIComponent(s.email)}`],
    ['phone', s => `phone=${encodeURIComponent(s.phone)}`],
    fixed('telegram_id=12345'),
    fixed('external_id=absent'),
    fixed('is_blocked=true'),
    fixed('is_blocked=false'),
    ['q=full name', s => `q=${encodeURIComponent(s.name)}`],
    ['q=first name', s => `q=${encodeURIComponent(s.name.split(' ')[0]!)}`],
    fixed('q=s'),
    fixed('q=absentname'),
    ['q=s&sort=-updated_at', () => 'q=s&sort=-updated_at'],
    fixed(`created_before=${old}`),
    fixed(`updated_after=${old}`),
    ['updated_after=yesterday', () => `updated_after=${recent()}`],
  ]
  return [
    ...filters.map(([name, query]): Case => ({ name: `contacts ?${name}`, group: 'contacts', path: s => `/contacts?${query(s)}` })),
    { name: "the heavy contact's tickets", group: 'contacts', path: s => `/contacts/${s.heavyContact}/tickets` },
    { name: 'the heavy contact', group: 'contacts', path: s => `/contacts/${s.heavyContact}` },
  ]
}

function messageCases(): Case[] {
  const filters: Filter[] = [
    fixed(''),
    fixed('order=desc'),
    ['(deep)', s => `page=${Math.min(500, s.tickets / 1000 < 10 ? 2 : 500)}`],
    ['(cursor)', s => `cursor=${s.longCursor}`],
    ['after_id', s => `after_id=${s.longMiddle}`],
    ['before_id&order=desc', s => `before_id=${s.longMiddle}&order=desc`],
    fixed('sender_type=system'),
    fixed('sender_type=operator,bot&order=desc'),
    fixed('is_internal=true'),
  ]
  return [
    ...filters.map(([name, query]): Case => ({ name: `messages of the longest ticket ?${name}`, group: 'messages', path: s => `/tickets/${s.longTicket}/messages?${query(s)}` })),
    { name: 'messages of a ticket', group: 'messages', path: s => `/tickets/${s.ticket}/messages` },
    { name: 'a ticket by id', group: 'messages', path: s => `/tickets/${s.ticket}` },
    { name: 'a ticket by number', group: 'messages', path: () => '/tickets/500' },
  ]
}

/** What each search may take: words in fewer than 1 % of the messages 100 ms, others 500 ms. */
export const searchLimit = (name: string): number =>
  name.includes('%') && Number(/\(([\d.]+) %/.exec(name)![1]) >= 1 ? 500 : 100

function searchCases(): Case[] {
  const rated: [string, string][] = [
    ...Object.entries(probes).map(([word, share]) => [word, `${share * 100} %`] as [string, string]),
    [commonest, '95 %'],
    [oldWord, '6 %, old'],
    ['absentword', '0 %'],
    [`${commonest} quasar`, '0.01 %, two words'],
    ['harbor meadow', '1 %, two words'],
    [`${commonest} ${oldWord}`, '6 %, old, two words'],
  ]
  const extras = ['', ...sorts.slice(1).map(sort => `sort=${sort}`), 'status=open', 'status=closed&priority=urgent', 'count=false', 'tag=tag-299', 'page=20']
  return rated.flatMap(([word, share]) =>
    extras.map((extra): Case => ({
      name: `search ${word} (${share}) ${extra}`.trimEnd(),
      group: 'search',
      path: () => `/tickets?${join(`q=${encodeURIComponent(word)}`, extra)}`,
    })),
  )
}

export const cases: Case[] = [...ticketCases(), ...contactCases(), ...messageCases(), ...searchCases()]

/** Finds ids and places through the API itself. */
export async function takeSample({ read }: Caller, ids: SampleIds): Promise<Sample> {
  const { items } = await read('/contacts?is_blocked=false&page_size=100')
  const cursors: Record<string, string> = {}
  for (const sort of sorts) {
    const [size, page] = ids.tickets > 100_000 ? [100, 100] : [20, 25]
    cursors[sort] = (await read(`/tickets?sort=${sort}&page_size=${size}&page=${page}`)).next_cursor
  }
  const long = await read(`/tickets/${ids.longTicket}/messages?page_size=${ids.tickets > 100_000 ? 100 : 20}`)
  const withPhone = items.find((one: { phone: string | null }) => one.phone) ?? items[0]
  return {
    ...ids,
    email: items[0].email,
    phone: withPhone.phone,
    name: items[0].full_name,
    longMiddle: long.items.at(-1).id,
    longCursor: long.next_cursor,
    cursors,
    contactCursor: (await read('/contacts?page_size=20&page=3')).next_cursor,
  }
}

export type SampleIds = Pick<
  Sample,
  'tickets' | 'heavyContact' | 'lightContact' | 'operator' | 'otherOperator' | 'department' | 'longTicket' | 'ticket'
>
