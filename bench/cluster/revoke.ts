import { setTimeout as sleep } from 'node:timers/promises'
import { deleteKey, disableKey } from '../../src/keys/keys.ts'
import { setMaintenance } from '../../src/projects/installation.ts'
import { suspendProject } from '../../src/projects/projects.ts'
import { type Answer, type Caller, openCaller } from '../calls.ts'
import { round } from '../figures.ts'
import { type Cluster, makeProject, type Row } from './stage.ts'

const clock = () => performance.now()

interface Call extends Answer {
  begunAt: number
  endedAt: number
}

async function time(asked: () => Promise<Answer>): Promise<Call> {
  const begunAt = clock()
  return { ...(await asked()), begunAt, endedAt: clock() }
}

/** Sends requests to every process over four connections each, until `isOver`. */
async function hammer(callers: Caller[], isOver: () => boolean): Promise<Call[]> {
  const calls: Call[] = []
  const ask = async (caller: Caller) => {
    while (!isOver()) calls.push(await time(() => caller.get('/tickets?page_size=1')))
  }
  await Promise.all(callers.flatMap(caller => [1, 2, 3, 4].map(() => ask(caller))))
  return calls
}

/** Starts this many waiting calls at each process. */
const wait = (callers: Caller[], count: number): Promise<Call[]> =>
  Promise.all(
    callers.flatMap(caller =>
      Array.from({ length: count }, () => time(() => caller.get('/updates?timeout=30'))),
    ),
  )

interface Turn {
  /** The time of the commit. */
  at: number
  calls: Call[]
  waits: Call[]
}

/** Makes a change in the middle of calls and waiting calls at all processes. */
async function around(urls: string[], key: string, change: () => Promise<unknown>): Promise<Turn> {
  const [busy, patient] = [1, 2].map(() => urls.map(url => openCaller(url, key))) as [Caller[], Caller[]]
  for (const caller of busy) await caller.read('/tickets?page_size=1')
  const waiting = wait(patient, 4)
  let isOver = false
  const hammering = hammer(busy, () => isOver)
  await sleep(400)
  await change()
  const at = clock()
  const waits = await waiting
  await sleep(Math.max(0, at + 1_000 - clock()))
  isOver = true
  const calls = await hammering
  for (const caller of [...busy, ...patient]) caller.close()
  return { at, calls, waits }
}

const after = ({ at, calls }: Turn): Call[] => calls.filter(({ begunAt }) => begunAt > at)

/** Milliseconds from the change to the end of the last waiting call. */
const longest = (turns: Turn[]): number =>
  Math.max(...turns.flatMap(({ at, waits }) => waits.map(({ endedAt }) => endedAt - at)))

const tell = (calls: Call[]): string =>
  calls[0] ? `, such as ${calls[0].status} ${calls[0].text.slice(0, 120)}` : ''

/** Disables and deletes keys and suspends projects while both processes get requests with these keys. */
export async function revoke(cluster: Cluster, rounds: number): Promise<Row[]> {
  const urls = cluster.web.map(({ server }) => server.url)
  const turns: Turn[] = []
  for (let round = 0; round < rounds; round++) {
    const { id, key, keyId } = await makeProject(cluster)
    const changes = [
      () => disableKey(cluster.db, keyId),
      () => deleteKey(cluster.db, keyId),
      () => suspendProject(cluster.db, id, null),
    ]
    turns.push(await around(urls, key, changes[round % 3]!))
  }
  const what = `${rounds} keys and projects switched off: later calls at both processes that were answered`
  return [
    countOthers(what, turns.flatMap(after), isRefused),
    describeWaits('waiting calls end with 401', turns, isRefused),
  ]
}

const isRefused = ({ status }: Answer): boolean => status === 401

function countOthers(what: string, asked: Call[], isWanted: (answer: Answer) => boolean): Row {
  const others = asked.filter(call => !isWanted(call))
  return [what, '0', `${others.length} of ${asked.length}${tell(others)}`, others.length === 0]
}

function describeWaits(what: string, turns: Turn[], isWanted: (answer: Answer) => boolean): Row {
  const others = turns.flatMap(({ waits }) => waits).filter(call => !isWanted(call))
  const ms = longest(turns)
  const odd = others.length ? `, ${others.length} otherwise${tell(others)}` : ''
  return [what, 'within 1 s', `the last after ${round(ms / 1_000)} s${odd}`, ms <= 1_000 && !others.length]
}

const isClosed = ({ status, text }: Answer): boolean =>
  status === 503 && Object.keys(JSON.parse(text)).join() === 'error_code,error_message'

/** Ends maintenance. Returns the status of the next call at each process. */
async function reopen({ db }: Cluster, urls: string[], key: string): Promise<number[]> {
  await setMaintenance(db, false)
  const callers = urls.map(url => openCaller(url, key))
  const answers = await Promise.all(callers.map(caller => caller.get('/tickets?page_size=1')))
  for (const caller of callers) caller.close()
  return answers.map(({ status }) => status)
}

/** Switches maintenance on and off while both processes get requests and tickets are created. */
export async function maintain(cluster: Cluster, rounds: number): Promise<Row[]> {
  const urls = cluster.web.map(({ server }) => server.url)
  // Tickets are created in another project, because they would end the waiting calls.
  const [{ key }, other] = [await makeProject(cluster), await makeProject(cluster)]
  const turns: Turn[] = []
  const back: number[] = []
  const taken: string[] = []
  const caller = openCaller(cluster.url, other.key)
  for (let round = 0; round < rounds; round++) {
    const writing = post(caller, taken)
    turns.push(await around(urls, key, () => setMaintenance(cluster.db, true)))
    await writing
    back.push(...(await reopen(cluster, urls, key)))
  }
  const missing = await countAbsent(caller, taken)
  caller.close()
  const late = back.filter(status => status !== 200).length
  const calls = `${rounds} times maintenance: later calls at both processes not answered 503 with two fields`
  return [
    countOthers(calls, turns.flatMap(after), isClosed),
    describeWaits('waiting calls end with 503', turns, isClosed),
    [
      'calls refused after its end / tickets accepted around it and lost',
      '0 / 0',
      `${late} / ${missing} of ${taken.length}`,
      late + missing === 0,
    ],
  ]
}

/** Creates tickets one after another until one is refused. */
async function post(caller: Caller, taken: string[]): Promise<void> {
  for (;;) {
    const { status, text } = await caller.call('POST', '/tickets', { contact: { email: 'ann@example.com' } })
    if (status !== 201) return
    taken.push(JSON.parse(text).id)
  }
}

async function countAbsent(caller: Caller, ids: string[]): Promise<number> {
  let absent = 0
  for (const id of ids) if ((await caller.get(`/tickets/${id}`)).status !== 200) absent++
  return absent
}
