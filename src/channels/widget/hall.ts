import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../core/config.ts'
import type { Db } from '../../core/db.ts'
import type { Log } from '../../core/log.ts'
import { inTurns } from '../../core/turns.ts'
import { followLog } from '../../events/follow-log.ts'
import { Hub } from '../../events/hub.ts'
import { createLogReader, type LogPage, type ReadLog } from '../../events/log-page.ts'
import { onRead } from '../../events/notifier.ts'
import { Seats } from '../../events/seats.ts'
import { createClosing, printFrame } from '../../live/live.ts'
import { Feed, type Seat } from './feed.ts'
import { createRenderer, printPart, type Telling } from './frames.ts'
import { checkVisitors } from './queries.ts'
import { deleteTabs, type TabRow } from './tabs.ts'
import { Typing } from './typing.ts'

/** Where the open widgets of this process are, and what all of them share. */

export interface Hall {
  db: Db
  log: Log
  read: ReadLog
  seats: Seats
  /** Of each address. */
  addresses: Seats
  render(projectId: string, page: LogPage): Promise<Telling>
  feeds: Map<string, Feed>
  /** The feed of a project, which lives as long as somebody sits in it. */
  enter(seat: Seat): Feed
  leave(seat: Seat): void
  typing: Typing
  stopping: AbortSignal
  closeTab(tab: TabRow): void
  stop(): void
}

interface Deps {
  config: Pick<Config, 'visitorsPerProcess'>
  db: Db
  log: Log
  stopping: AbortSignal
}

const tabsPerVisitor = 10

/** Below the 30 seconds after which some proxies cut a silent connection. */
const beatPace = 20_000

/** Between two looks for tokens that ended: one for 5,000 chats takes the database 45 ms. */
const checkPace = 3_000

/** Between the ends of a stop: 5,000 pages come back over a second, not at once. */
const stopPause = 10

type Feeds = Hall['feeds']

const seatsOf = (feeds: Feeds): Seat[] => [...feeds.values()].flatMap(({ seats }) => [...seats])

const sendAway = ({ stream }: Seat, reason: string): void => stream.end(printFrame('end', { reason }))

/** Ends the streams whose tokens open nothing any more, or something else; under maintenance, all. */
async function check(db: Db, feeds: Feeds): Promise<void> {
  const seats = seatsOf(feeds)
  if (seats.length === 0) return
  const { isMaintenance, ended } = await checkVisitors(db, seats)
  if (isMaintenance) await inTurns(seats, seat => sendAway(seat, 'maintenance'))
  else for (const n of ended) sendAway(seats[n - 1]!, 'revoked')
}

const beat = async (feeds: Feeds): Promise<void> => {
  for (const feed of feeds.values())
    await inTurns([...feed.seats], seat => seat.stream.send(printFrame('beat', {}, feed.reachOf(seat))))
}

/** Runs again and again, and never twice at once. */
function repeat(pace: number, log: Log, act: () => Promise<void>): () => void {
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    act()
      .catch(error => log.warn({ err: error }, 'Could not look after open chats'))
      .finally(() => {
        isRunning = false
      })
  }, pace)
  return () => clearInterval(timer)
}

const openFeeds = (feeds: Feeds, make: (projectId: string) => Feed) => ({
  enter(seat: Seat): Feed {
    const feed = feeds.get(seat.projectId) ?? make(seat.projectId)
    feeds.set(seat.projectId, feed)
    feed.add(seat)
    return feed
  },
  leave(seat: Seat): void {
    const feed = feeds.get(seat.projectId)
    feed?.remove(seat)
    if (feed?.seats.size !== 0) return
    feed.stop()
    feeds.delete(seat.projectId)
  },
})

export function openHall({ config, db, log, stopping }: Deps): Hall {
  const read = createLogReader(db, printPart)
  const feeds: Feeds = new Map()
  const hub = new Hub(read, async () => ({ isMaintenance: false, revoked: new Set() }), {
    checksFirst: false,
  })
  const typing = new Typing(db, log, (projectId, owner, frame) => {
    for (const { stream } of feeds.get(projectId)?.listSeeing(owner) ?? []) stream.send(frame)
  })
  const undo = [
    followLog(hub, db, log),
    typing.watch(id => feeds.has(id)),
    onRead((projectId, ticketId) => feeds.get(projectId)?.retell(ticketId)),
    repeat(beatPace, log, () => beat(feeds)),
    repeat(checkPace, log, () => check(db, feeds)),
  ]
  const letGo = () =>
    inTurns(
      seatsOf(feeds),
      ({ stream }) => stream.end(),
      () => sleep(stopPause),
    )
  stopping.addEventListener('abort', () => void letGo())
  return {
    ...{ db, log, read, feeds, typing, stopping },
    ...openFeeds(feeds, projectId => new Feed({ db, log, read, hub }, projectId)),
    seats: new Seats({ each: tabsPerVisitor, inAll: config.visitorsPerProcess, reason: 'too_many_tabs' }),
    addresses: new Seats({
      each: Math.ceil(config.visitorsPerProcess / 5),
      inAll: config.visitorsPerProcess,
      reason: 'too_many_chats',
    }),
    render: createRenderer(db),
    closeTab: createClosing((tabs: TabRow[]) => deleteTabs(db, tabs), log),
    stop() {
      for (const one of undo) one()
    },
  }
}
