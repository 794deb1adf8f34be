/** A small account: two customers, an agent, and tickets of all kinds. */

const time = (minutes: number): string => new Date(Date.UTC(2025, 2, 3, 9, minutes)).toISOString()

export const zendeskUsers = {
  ann: {
    id: 11,
    name: 'Ann Lee',
    email: 'ann@example.com',
    phone: '+49 30 1',
    role: 'end-user',
    locale: 'de',
    tags: ['vip'],
  },
  bob: { id: 12, name: 'Bob', email: null, role: 'end-user', created_at: time(0) },
  omar: { id: 21, name: 'Omar', email: 'Omar@acme.example', role: 'agent' },
  gone: { id: 22, name: 'Gone', email: 'gone@acme.example', role: 'agent' },
}
const { ann, bob, omar, gone } = zendeskUsers

const tickets = [
  {
    ...{
      id: 1001,
      subject: 'Broken lamp',
      status: 'solved',
      priority: 'urgent',
      type: null,
      comment_count: 3,
    },
    ...{
      requester_id: ann.id,
      assignee_id: omar.id,
      group_id: 5,
      tags: ['lamp', 'vip'],
      via: { channel: 'email' },
    },
    ...{ created_at: time(1), updated_at: time(50), email_cc_ids: [bob.id] },
    satisfaction_rating: { score: 'good', comment: 'Quick' },
    custom_fields: [
      { id: 31, value: 'size_l' },
      { id: 32, value: 'A-17' },
      { id: 33, value: null },
    ],
  },
  {
    ...{ id: 1002, subject: '', status: 'hold', priority: null, type: 'question', comment_count: 1 },
    ...{ requester_id: bob.id, assignee_id: gone.id, group_id: 6, via: { channel: 'twitter' } },
    ...{ created_at: time(2), updated_at: time(2) },
  },
]
const laterTickets = [
  { id: 1003, status: 'deleted', requester_id: ann.id, created_at: time(3), updated_at: time(3) },
  {
    ...{ id: 1004, subject: 'Many', status: 'closed', requester_id: ann.id, comment_count: 130 },
    ...{ created_at: time(4), updated_at: time(200) },
    via: { channel: 'web', source: { from: { ticket_id: 1001 }, rel: 'follow_up' } },
  },
]

const comment = (id: number, author_id: number, minutes: number, more: object = {}) => ({
  ...{ id, type: 'Comment', author_id, body: `Comment ${id}`, plain_body: `Comment ${id}`, public: true },
  ...{ html_body: `<p>Comment ${id}</p>`, attachments: [], created_at: time(minutes), ...more },
})

const many = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) =>
    comment(4000 + from + at, from + at === 129 ? -1 : ann.id, 5 + from + at),
  )

const attachment = (url: string, id: number, name: string) => ({
  ...{ id, file_name: name, content_type: 'text/plain', size: 5, inline: false },
  content_url: `${url}/attachments/token/${id}`,
})

const done = { has_more: false, after_cursor: null }

export function makeZendeskPages(url: string) {
  const users = [ann, bob, omar, gone]
  const incremental = '/api/v2/incremental'
  return {
    pages: {
      '/api/v2/groups.json': {
        groups: [{ id: 5, name: 'Sales' }],
        meta: { has_more: true, after_cursor: 'g2' },
      },
      '/api/v2/groups.json#g2': { groups: [{ id: 6, name: 'Repairs' }], meta: done },
      '/api/v2/ticket_fields.json': {
        ticket_fields: [
          {
            id: 31,
            title: 'Size',
            type: 'tagger',
            custom_field_options: [{ name: 'Large', value: 'size_l' }],
          },
          { id: 32, title: 'Order', type: 'text' },
          { id: 33, title: 'Empty', type: 'text' },
        ],
        meta: done,
      },
      [`${incremental}/users/cursor.json`]: { users: [ann, omar], after_cursor: 'u2', end_of_stream: false },
      [`${incremental}/users/cursor.json#u2`]: {
        users: [bob, gone],
        after_cursor: 'u3',
        end_of_stream: true,
      },
      [`${incremental}/tickets/cursor.json`]: {
        ...{ tickets, users, after_cursor: 't2', end_of_stream: false },
        metric_sets: [{ ticket_id: 1001, solved_at: time(40), reopens: 2 }],
      },
      [`${incremental}/tickets/cursor.json#t2`]: {
        ...{ tickets: laterTickets, users: [ann], after_cursor: 't3', end_of_stream: true },
      },
      '/api/v2/tickets/1001/comments.json': {
        comments: [
          comment(1, ann.id, 1, {
            html_body: `<p>Comment 1 <img src="${url}/attachments/token/71"></p>`,
            attachments: [attachment(url, 71, 'log.txt'), attachment(url, 72, 'gone.txt')],
          }),
          comment(2, omar.id, 5, { public: false }),
          comment(3, gone.id, 9),
        ],
        ...{ users: [ann, omar, gone], meta: done },
      },
      '/api/v2/tickets/1002/comments.json': { comments: [comment(4, bob.id, 2)], users: [bob], meta: done },
      '/api/v2/tickets/1004/comments.json': {
        ...{ comments: many(0, 100), users: [ann], meta: { has_more: true, after_cursor: 'c2' } },
      },
      '/api/v2/tickets/1004/comments.json#c2': { comments: many(100, 130), users: [ann], meta: done },
    },
    files: { '/attachments/token/71': Buffer.from('hello') },
  }
}
