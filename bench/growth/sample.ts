import type { Caller } from '../calls.ts'
import { join, sorts, ticketFilters } from './filters.ts'

/** Ids, times and cursors of one project. */
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
  /** Matches of each filter, at most 10,000. */
  totals: Record<string, number>
  /** By filter and sort. */
  cursors: Record<string, string>
  contactCursor: string
}

/** Reads ids and cursors through the API. */
export async function takeSample(caller: Caller, ids: SampleIds): Promise<Sample> {
  const { read } = caller
  const sample = await takeIds(caller, ids)
  const totals: Record<string, number> = {}
  const cursors: Record<string, string> = {}
  for (const [filter, query] of ticketFilters) {
    totals[filter] = (await read(`/tickets?${join(query(sample), 'page_size=1')}`)).total
    for (const sort of sorts)
      cursors[join(filter, sort)] = await takeCursor(caller, join(query(sample), `sort=${sort}`))
  }
  return { ...sample, totals, cursors }
}

/** The cursor after row 1,000, or in a small project after the first row. */
async function takeCursor({ read }: Caller, query: string): Promise<string> {
  for (const place of ['page=10&page_size=100', 'page_size=1']) {
    const { next_cursor } = await read(`/tickets?${join(query, place, 'count=false')}`)
    if (next_cursor) return next_cursor
  }
  return ''
}

async function takeIds({ read }: Caller, ids: SampleIds): Promise<Sample> {
  const { items } = await read('/contacts?is_blocked=false&page_size=100')
  const long = await read(`/tickets/${ids.longTicket}/messages?page_size=${ids.tickets > 100_000 ? 100 : 20}`)
  const withPhone = items.find((one: { phone: string | null }) => one.phone) ?? items[0]
  return {
    ...ids,
    email: items[0].email,
    phone: withPhone.phone,
    name: items[0].full_name,
    longMiddle: long.items.at(-1).id,
    longCursor: long.next_cursor,
    totals: {},
    cursors: {},
    contactCursor: (await read('/contacts?page_size=20&page=3')).next_cursor,
  }
}

export type SampleIds = Pick<
  Sample,
  | 'tickets'
  | 'heavyContact'
  | 'lightContact'
  | 'operator'
  | 'otherOperator'
  | 'department'
  | 'longTicket'
  | 'ticket'
>
