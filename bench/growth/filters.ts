import type { Sample } from './sample.ts'

const names = ['created_at', 'updated_at', 'last_message_at']
export const sorts = [...names.flatMap(name => [`-${name}`, name]), 'waiting_since']
const year = new Date().getUTCFullYear()
export const middle = `${year - 1}-06-01`
export const recent = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 19)
export const old = `${year - 2}-01-01`

export type Filter = [name: string, query: (sample: Sample) => string]
export const fixed = (query: string): Filter => [query, () => query]

const words = [
  ...['new', 'open', 'pending', 'on_hold', 'closed', 'new,open,pending', 'open,closed'].map(
    word => `status=${word}`,
  ),
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
  [
    'status=new&operator_id=none&department_id',
    s => `status=new&operator_id=none&department_id=${s.department}`,
  ],
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

export const join = (...parts: string[]) => parts.filter(Boolean).join('&')
