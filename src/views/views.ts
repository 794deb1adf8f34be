export { listViewTickets, showTicket } from './list.ts'
export { listViews } from './list-views.ts'
export { changeView, removeView, saveView } from './saved.ts'
