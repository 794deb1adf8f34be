import { setTimeout as sleep } from 'node:timers/promises'
import { inTime } from '../../core/batch.ts'
import type { Config } from '../../core/config.ts'
import type { Db } from '../../core/db.ts'
import type { Log } from '../../core/log.ts'
import { inTurns } from '../../core/turns.ts'
import { createReader, type Page, type Read } from '../../events/page.ts'
import { type CheckPasses, type Pass, Room } from '../../events/room.ts'
import { Seats } from '../../events/seats.ts'
import { watch } from '../../events/watch.ts'
import { printFrame, type Stream } from '../../live/live.ts'
import { createRenderer, printPart, type Telling } from './frames.ts'
import { checkVisitors } from './queries.ts'
import { createClosing, type TabRow } from './tabs.ts'
import { Typing } from './typing.ts'
import { isSeenBy, type Owner, type Visitor } from './visitor.ts'

/** Where the open widgets of this process are, and what all of them share. */

export interface Ticketed extends Pass {
  visitor: Pick<Visitor, 'id' | 'contact_id' | 'is_verified' | 'ticket_id'>
}

export interface Seat {
  stream: Stream
  pass: Ticketed
  tab: TabRow
  /** How far of the log it has been told. */
  last_seq: number
}

export interface Hall {
  db: Db
  log: Log
  read: Read
  room: Room<Ticketed>
  seats: Seats
  render(projectId: string, page: Page): Promise<Telling>
  /** Open streams of each project. */
  open: Map<string, Set<Seat>>
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

/** Between the ends of a stop: 5,000 pages come back over a second, not at once. */
const stopPause = 10

/** Between two looks for tokens that ended: one for 5,000 chats takes the database 45 ms. */
const checkPace = 3_000

function createCheck(db: Db): CheckPasses<Ticketed> {
  let next = 0
  return async passes => {
    if (performance.now() < next) return { isMaintenance: false, revoked: new Set() }
    next = performance.now() + checkPace
    const { isMaintenance, ended } = await checkVisitors(db, passes)
    return { isMaintenance, revoked: new Set(ended.map(n => passes[n - 1]!.id)) }
  }
}

const seatsOf = ({ open }: Pick<Hall, 'open'>): Seat[] => [...open.values()].flatMap(seats => [...seats])

/** With how far each has been told, so that whoever comes back later begins there. */
const beat = ({ last_seq }: Seat): string => printFrame('beat', {}, last_seq)

export function openHall({ config, db, log, stopping }: Deps): Hall {
  const read = createReader(db, printPart)
  const check = createCheck(db)
  const open: Hall['open'] = new Map()
  const tell = (projectId: string, owner: Omit<Owner, 'is_blocked'>, frame: string) => {
    for (const { stream, pass } of open.get(projectId) ?? [])
      if (isSeenBy(pass.visitor, owner)) stream.send(frame)
  }
  const typing = new Typing(db, log, tell)
  const room = new Room<Ticketed>(read, passes => inTime(check(passes)), { checksFirst: false })
  const timer = setInterval(
    () => void inTurns(seatsOf({ open }), seat => seat.stream.send(beat(seat))),
    beatPace,
  )
  const undo = [watch(room, db, log), typing.watch(id => open.has(id)), () => clearInterval(timer)]
  const letGo = () =>
    inTurns(
      seatsOf({ open }),
      ({ stream }) => stream.end(),
      () => sleep(stopPause),
    )
  stopping.addEventListener('abort', () => void letGo())
  return {
    ...{ db, log, read, room, typing, open, stopping },
    seats: new Seats({ each: tabsPerVisitor, inAll: config.visitorsPerProcess, reason: 'too_many_tabs' }),
    render: createRenderer(db),
    closeTab: createClosing(db, log),
    stop() {
      for (const one of undo) one()
    },
  }
}
