import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { showDay } from './day.ts'
import { listViewTickets, showTicket } from './list.ts'
import { listViews } from './list-views.ts'
import { changeView, removeView, saveView } from './saved.ts'
import {
  day,
  dayQuery,
  listedTicket,
  listedTickets,
  newView,
  view,
  viewChange,
  viewListQuery,
  views,
} from './schema.ts'

const tag = 'Views'

export const viewDashboard: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/tickets',
    tag,
    summary: 'List and search tickets, by view',
    description: 'Sorted by last message by default. Each ticket shows how much of it you have not read.',
    query: viewListQuery,
    responses: { 200: listedTickets },
    errors: ['VIEW_NOT_FOUND', 'VALIDATION_ERROR'],
    run: call => listViewTickets(call.db, call, call.query),
  }),
  endpoint({
    method: 'GET',
    path: '/tickets/{ticket_id}',
    tag,
    summary: 'Read a ticket',
    responses: { 200: listedTicket },
    errors: ['TICKET_NOT_FOUND'],
    run: call => showTicket(call.db, call, call.params.ticket_id!),
  }),
  endpoint({
    method: 'GET',
    path: '/views',
    tag,
    summary: 'List the views of the inbox, with their counts',
    responses: { 200: views },
    errors: [],
    run: async call => ({ items: await listViews(call.db, call) }),
  }),
  endpoint({
    method: 'GET',
    path: '/today',
    tag,
    summary: 'Count your tickets of today, and find the next one to answer',
    description:
      'Each `kind` is the `id` of a view: `GET /tickets?view=…` lists the same tickets. `my_closed` also needs `closed_after`, and `my_snoozed` needs `snoozed_before`. ' +
      '`next` is the ticket that has waited longest: one of yours, or else one without an assignee in your departments.',
    query: dayQuery,
    responses: { 200: day },
    errors: ['VALIDATION_ERROR'],
    run: call => showDay(call.db, call, call.query),
  }),
  endpoint({
    method: 'POST',
    path: '/views',
    tag,
    summary: 'Save a view',
    body: newView,
    responses: { 201: view },
    errors: ['VALIDATION_ERROR', 'ROLE_REQUIRED'],
    run: call => saveView(call.db, call, call.body),
  }),
  endpoint({
    method: 'PATCH',
    path: '/views/{view_id}',
    tag,
    summary: 'Change a saved view',
    body: viewChange,
    responses: { 200: view },
    errors: ['VIEW_NOT_FOUND', 'ROLE_REQUIRED', 'SETTINGS_CHANGED', 'VALIDATION_ERROR'],
    isConditional: true,
    run: call => changeView(call.db, call, call.params.view_id!, call.body, call.version),
  }),
  endpoint({
    method: 'DELETE',
    path: '/views/{view_id}',
    tag,
    summary: 'Delete a saved view',
    responses: { 204: null },
    errors: ['VIEW_NOT_FOUND', 'ROLE_REQUIRED'],
    run: call => removeView(call.db, call, call.params.view_id!),
  }),
]
