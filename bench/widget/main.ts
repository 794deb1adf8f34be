import { parseArgs } from 'node:util'
import { makeTeam, type Team } from '../live/people.ts'
import { follow, hold, type Pace, type Row, withStage } from '../streams/stage.ts'
import { clock, type Stage } from '../updates/stage.ts'
import { beginTickets, makeVisitors, seatOf } from './visitors.ts'

const options = {
  widgets: { type: 'string', default: '5000' },
  seconds: { type: 'string', default: '15' },
} as const

/** An operator replies to one visitor after another while all widgets of the project are open. */
const answer = (stage: Stage, { projectId, cookies }: Team, ticketIds: string[], pace: Pace): Promise<Row> =>
  follow(stage, pace, `${pace.rate} answers a second, each to its visitor`, async at => {
    const path = `/api/dashboard/projects/${projectId}/tickets/${ticketIds[at % ticketIds.length]}/messages`
    const { status } = await fetch(stage.server.url + path, {
      method: 'POST',
      headers: {
        cookie: cookies[0]!,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ content: String(clock()) }),
    })
    return { told: 1, isTaken: status === 201 }
  })

async function measure(stage: Stage, widgets: number, seconds: number): Promise<Row[]> {
  const team = await makeTeam(stage.db, stage.server, 1)
  const tokens = await makeVisitors(stage.db, team.projectId, widgets)
  const ticketIds = await beginTickets(stage.server, team.projectId, tokens.slice(0, 100))
  const seats = tokens.map(token => seatOf(team.projectId, token))
  const time = 'event: message\\ndata: .*?"preview":"([\\d.]+)"'
  return [
    ...(await hold(stage, seconds, { seats, name: 'open widgets', time, most: 20 })),
    await answer(stage, team, ticketIds, { rate: 5, seconds, limit: 500 }),
    await answer(stage, team, ticketIds, { rate: 20, seconds }),
  ]
}

/** Measures the cost of open widgets, and how soon a reply arrives. */
export async function widget(args: string[]): Promise<number> {
  const { widgets, seconds } = parseArgs({ args, options }).values
  const settings = {
    // All visitors have the same address, which may use a fifth.
    WIDGET_VISITORS_PER_PROCESS: String(Number(widgets) * 5),
    WIDGET_VISITORS_PER_IP: '1000000',
    RATE_LIMIT_PER_VISITOR: '1000000',
  }
  return withStage(settings, 'widget', stage => measure(stage, Number(widgets), Number(seconds)))
}
