import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { listViewTickets, showTicket } from './list.ts'
import { listViews } from './list-views.ts'
import { changeView, removeView, saveView } from './saved.ts'
import { listedTicket, listedTickets, newView, view, viewChange, viewListQuery, views } from './schema.ts'

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
    errors: ['VIEW_NOT_FOUND', 'ROLE_REQUIRED'],
    run: call => changeView(call.db, call, call.params.view_id!, call.body),
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
