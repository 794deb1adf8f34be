import { commonest, oldWord, probes } from '../seed/words.ts'
import { type Filter, fixed, join, old, recent, sorts, ticketFilters } from './filters.ts'
import type { Sample } from './sample.ts'

/** A request for each size of project. `path` can use ids and cursors of that project. */
export interface Case {
  name: string
  group: 'tickets' | 'contacts' | 'messages' | 'search' | 'meant'
  path(sample: Sample): string
  /** Runs with --deep only. */
  isDeep?: boolean
}

/** Page 50 starts at row 1,000 of a filter. The deep page is the last one that exists in the large project. */
const middlePage = 50
const lastPage = 500

const pageOf = ({ totals }: Sample, filter: string, page: number) =>
  Math.max(1, Math.min(page, Math.floor((totals[filter] ?? 0) / 20)))

const cursorOf = ({ cursors }: Sample, list: string) => (cursors[list] ? `cursor=${cursors[list]}` : '')

function ticketCases(): Case[] {
  return ticketFilters.flatMap(([filter, query]) =>
    sorts.flatMap((sort): Case[] => {
      const make = (place: string, more: (sample: Sample) => string, isDeep = false): Case => ({
        name: `tickets ?${join(filter, `sort=${sort}`)} ${place}`.trimEnd(),
        group: 'tickets',
        path: s => `/tickets?${join(query(s), `sort=${sort}`, more(s))}`,
        isDeep,
      })
      return [
        make('', () => ''),
        make('(row 1,000)', s => `page=${pageOf(s, filter, middlePage)}`),
        make('(row 10,000)', s => `page=${pageOf(s, filter, lastPage)}`, true),
        make('(cursor)', s => cursorOf(s, join(filter, sort))),
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
    ...filters.map(
      ([name, query]): Case => ({
        name: `contacts ?${name}`,
        group: 'contacts',
        path: s => `/contacts?${query(s)}`,
      }),
    ),
    {
      name: "the heavy contact's tickets",
      group: 'contacts',
      path: s => `/contacts/${s.heavyContact}/tickets`,
    },
    { name: 'the heavy contact', group: 'contacts', path: s => `/contacts/${s.heavyContact}` },
  ]
}

function messageCases(): Case[] {
  const filters: Filter[] = [
    fixed(''),
    fixed('order=desc'),
    ['(deep)', s => `page=${s.tickets < 100_000 ? 2 : 500}`],
    ['(cursor)', s => `cursor=${s.longCursor}`],
    ['after_id', s => `after_id=${s.longMiddle}`],
    ['before_id&order=desc', s => `before_id=${s.longMiddle}&order=desc`],
    fixed('sender_type=system'),
    fixed('sender_type=operator,bot&order=desc'),
    fixed('is_internal=true'),
  ]
  return [
    ...filters.map(
      ([name, query]): Case => ({
        name: `messages of the longest ticket ?${name}`,
        group: 'messages',
        path: s => `/tickets/${s.longTicket}/messages?${query(s)}`,
      }),
    ),
    { name: 'messages of a ticket', group: 'messages', path: s => `/tickets/${s.ticket}/messages` },
    { name: 'a ticket by id', group: 'messages', path: s => `/tickets/${s.ticket}` },
    { name: 'a ticket by number', group: 'messages', path: () => '/tickets/500' },
  ]
}

/** The limit in ms: 100 for words in fewer than 1 % of the messages, 500 for others, 300 for prefixes and typing errors. */
export const searchLimit = (name: string): number =>
  name.startsWith('meant')
    ? 300
    : name.includes('%') && Number(/\(([\d.]+) %/.exec(name)![1]) >= 1
      ? 500
      : 100

function searchCases(): Case[] {
  const rated: [string, string][] = [
    ...Object.entries(probes).map(
      ([word, share]) => [word, `${Number((share * 100).toPrecision(2))} %`] as [string, string],
    ),
    [commonest, '95 %'],
    [oldWord, '6 %, old'],
    ['absentword', '0 %'],
    [`${commonest} quasar`, '0.01 %, two words'],
    ['harbor meadow', '1 %, two words'],
    [`${commonest} ${oldWord}`, '6 %, old, two words'],
  ]
  const extras = [
    '',
    ...sorts.slice(1).map(sort => `sort=${sort}`),
    'status=open',
    'status=closed&priority=urgent',
    'count=false',
    'tag=tag-299',
    'page=20',
  ]
  return rated.flatMap(([word, share]) =>
    extras.map(
      (extra): Case => ({
        name: `search ${word} (${share}) ${extra}`.trimEnd(),
        group: 'search',
        path: () => `/tickets?${join(`q=${encodeURIComponent(word)}`, extra)}`,
      }),
    ),
  )
}

/** Searches for prefixes of words of each frequency, and for words with a typing error. */
function meantCases(): Case[] {
  const asked = [
    ...['quas', 'walnu', 'lant', 'marb', 'harb', 'meado', 'me', 'th', 'the harb'].map(q => ['beginning', q]),
    ...['quaasr', 'wlanut', 'lantrn', 'marbel', 'habror', 'meadwo', 'the lantren'].map(q => [
      'typing error',
      q,
    ]),
  ]
  return asked.flatMap(([kind, q]) =>
    ['', 'status=open', 'count=false'].map(
      (extra): Case => ({
        name: `meant by ${kind} ${q} ${extra}`.trimEnd(),
        group: 'meant',
        path: () => `/tickets?${join(`q=${encodeURIComponent(q!)}`, extra)}`,
      }),
    ),
  )
}

export const cases: Case[] = [
  ...ticketCases(),
  ...contactCases(),
  ...messageCases(),
  ...searchCases(),
  ...meantCases(),
]
