import { go } from '../core/route.ts'
import { text } from '../core/text.ts'
import { Bar } from '../shell/bar.tsx'
import { Connection, Loading, Nothing, NotLoaded } from '../shell/state.tsx'
import { TicketRow } from './row.tsx'
import { loadTickets, state, tickets } from './tickets.ts'

function List() {
  if (state.value === 'failed') return <NotLoaded again={loadTickets} />
  if (state.value !== 'there') return <Loading />
  if (tickets.value.length === 0) return <Nothing>{text.value.noConversations}</Nothing>
  return (
    <ul class="rows">
      {tickets.value.map(ticket => (
        <TicketRow key={ticket.id} ticket={ticket} />
      ))}
    </ul>
  )
}

export const Conversations = () => (
  <main class="page">
    <Bar>
      <h1 tabIndex={-1}>{text.value.conversations}</h1>
    </Bar>
    <Connection />
    <div class="page-body">
      <List />
    </div>
    <footer class="page-foot">
      <button type="button" class="main" onClick={() => go({ name: 'conversation', id: 'new' })}>
        {text.value.writeMore}
      </button>
    </footer>
  </main>
)
