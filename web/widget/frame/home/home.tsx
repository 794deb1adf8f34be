import { ArticleSearch } from '../articles/search.tsx'
import { addressOf } from '../core/api.ts'
import { go } from '../core/route.ts'
import { text } from '../core/text.ts'
import { isNew, outbox } from '../messages/outgoing.ts'
import { config } from '../session/config.ts'
import { origin } from '../session/origin.ts'
import { visitor } from '../session/session.ts'
import { Avatars } from '../shell/avatar.tsx'
import { Controls } from '../shell/bar.tsx'
import { Icon } from '../shell/icon.tsx'
import { Connection, Loading, NotLoaded } from '../shell/state.tsx'
import { isAway, sayPresence } from '../tickets/presence.ts'
import { TicketRow } from '../tickets/row.tsx'
import { loadTickets, state, tickets } from '../tickets/tickets.ts'

const maxTickets = 3

function Hero() {
  const { name, logo_url, operators, texts } = config.value!
  return (
    <header class="hero">
      <div class="hero-top">
        {logo_url ? (
          <img class="logo" src={addressOf(logo_url)} alt={name} />
        ) : (
          <strong class="brand" dir="auto">
            {name}
          </strong>
        )}
        <Avatars people={operators} />
        <Controls />
      </div>
      <h1 tabIndex={-1} dir="auto">
        {texts.title || text.value.hello}
      </h1>
      <p dir="auto">{texts.welcome || text.value.welcome}</p>
    </header>
  )
}

/** A rejected first message is still in the conversation in which it was written. */
const unsent = (): string =>
  outbox.peek().find(({ state, ticket_id }) => state === 'failed' && isNew(ticket_id))?.ticket_id ?? 'new'

function Start() {
  const presence = sayPresence()
  const begin = () => {
    origin.value = {}
    go({ name: 'conversation', id: unsent() })
  }
  return (
    <button type="button" class="card start" onClick={begin}>
      <span class="start-words">
        <strong>{tickets.value.length ? text.value.writeMore : text.value.write}</strong>
        {presence && <span class={`presence ${isAway() ? 'is-away' : ''}`}>{presence}</span>}
      </span>
      <span class="start-sign">
        <Icon name="send" />
      </span>
    </button>
  )
}

function Recent() {
  if (state.value === 'failed') return <NotLoaded again={loadTickets} />
  if (state.value !== 'there') return <Loading />
  if (tickets.value.length === 0) return null
  return (
    <section class="card" aria-labelledby="recent">
      <div class="card-head">
        <h2 id="recent">{text.value.conversations}</h2>
        {tickets.value.length > maxTickets && (
          <button type="button" class="quiet" onClick={() => go({ name: 'conversations' })}>
            {text.value.showAll}
          </button>
        )}
      </div>
      <ul class="rows">
        {tickets.value.slice(0, maxTickets).map(ticket => (
          <TicketRow key={ticket.id} ticket={ticket} />
        ))}
      </ul>
    </section>
  )
}

export const Home = () => (
  <main class="home">
    <Hero />
    <Connection />
    <div class="cards">
      {!visitor.value?.ticket_id && <Start />}
      <Recent />
      {config.value!.features.knowledge && <ArticleSearch />}
    </div>
  </main>
)
