import type { Config } from '../core/config/config.ts'
import type { Vault } from '../core/crypto.ts'
import type { Db } from '../core/db/db.ts'
import { UserError } from '../core/user-error.ts'
import { type Tx, transact } from '../events/transaction.ts'
import { createStorages } from '../media/media.ts'
import { recountActivity } from '../messages/messages.ts'
import { findProject } from '../projects/projects.ts'
import { estimateTickets } from '../tickets/tickets.ts'
import { type DemoState, minutesOf, readScript, recordMade } from './demo-state.ts'
import { createDeskSettings } from './desk.ts'
import { createPeople } from './people.ts'
import { drawPictures } from './pictures.ts'
import { playStory } from './play-story.ts'
import {
  findOldestProject,
  hasActiveWebhook,
  insertDemoRecords,
  insertReads,
  isEmpty,
  listNotes,
  listTagIds,
  updateActivityTimes,
  updateFirstSteps,
  updateMentionsRead,
  updateStoryTimes,
} from './queries.ts'
import type { Story } from './scene.ts'
import { createTelegramBot } from './telegram-bot.ts'

/** Example data for a first look: three weeks of tickets of a bicycle shop, created through the rules of the product. */

export interface DemoDeps {
  config: Config
  db: Db
  vault: Vault
}

export interface DemoResult {
  id: string
  tickets: number
  contacts: number
  articles: number
}

const hasTickets = (name: string): UserError =>
  new UserError(
    `The project "${name}" already has tickets, so no demo data was added; create a project without any`,
  )

const hasWebhooks = (name: string): UserError =>
  new UserError(
    `The project "${name}" has active webhooks, which would receive changes to demo tickets, so no demo data was added; turn the webhooks off, or create a project without any`,
  )

const oldestFirst = (stories: Story[]): Story[] =>
  stories.toSorted((one, other) => minutesOf(other.ago) - minutesOf(one.ago))

const openStage = (
  tx: Tx,
  vault: Vault,
  project: DemoState['project'],
  pictures: DemoState['pictures'],
): DemoState => ({
  tx,
  vault,
  project,
  pictures,
  people: new Map(),
  departments: new Map(),
  contacts: new Map(),
  tickets: new Map(),
  clock: [],
  made: [],
})

/** Moves the created rows to their times in the script, and marks messages as read. */
async function settle(stage: DemoState, told: { ticketId: string; story: Story }[]): Promise<void> {
  const { tx, clock, people } = stage
  await updateStoryTimes(tx, clock)
  for (const { ticketId } of told) await recountActivity(tx, ticketId)
  await updateActivityTimes(tx)
  await estimateTickets(
    tx,
    told.map(({ ticketId }) => ticketId),
  )
  const unread = told.filter(({ story }) => story.unread).map(({ ticketId }) => ticketId)
  const viewer = people.get('me')!.id
  const everybody = [...new Set([...people.values()].map(({ id }) => id))]
  await insertReads(tx, everybody, viewer, unread)
  await updateMentionsRead(tx, viewer, unread)
}

async function play(stage: DemoState): Promise<void> {
  const { tx } = stage
  const ownTags = await listTagIds(tx)
  await createPeople(stage)
  const told = []
  for (const story of oldestFirst(readScript<Story[]>('tickets'))) told.push(await playStory(stage, story))
  await settle(stage, told)
  await createTelegramBot(stage)
  await createDeskSettings(stage)
  for (const id of await listNotes(tx)) recordMade(stage, 'audit_entries', id)
  for (const id of await listTagIds(tx)) if (!ownTags.has(id)) recordMade(stage, 'tags', id)
  await insertDemoRecords(tx, stage.made)
  await updateFirstSteps(tx, false)
}

/** Adds nothing if the project has tickets or active webhooks, or if the plan's limits are too low. */
export async function fillDemo({ config, db, vault }: DemoDeps, projectId: string): Promise<DemoResult> {
  const { id, name } = await findProject(db, projectId)
  const pictures = await drawPictures({ db, storages: createStorages({ config, db, vault }) }, id)
  return transact(db, id, async tx => {
    if (!(await isEmpty(tx))) throw hasTickets(name)
    if (await hasActiveWebhook(tx)) throw hasWebhooks(name)
    // Demo data emits no events, and its replies are not sent. The histories are estimated when the times are set.
    Object.assign(tx, { emit: () => {}, record: () => {}, hooks: { ...tx.hooks, outlets: [] } })
    const stage = openStage(tx, vault, { id, name }, pictures)
    await play(stage)
    const count = (kind: string) => stage.made.filter(one => one.kind === kind).length
    return { id, tickets: count('tickets'), contacts: count('contacts'), articles: count('articles') }
  })
}

/** Fills the oldest project at the server's start. Returns a sentence about the outcome. */
export async function fillFirst(deps: DemoDeps): Promise<string> {
  const { id } = (await findOldestProject(deps.db))!
  try {
    const { tickets, contacts, articles } = await fillDemo(deps, id)
    return `Demo data added: ${tickets} tickets, ${contacts} contacts, ${articles} articles. To remove it, run: bin/deskbell demo --project ${id} --remove\n`
  } catch (error) {
    if (error instanceof UserError) return `${error.message}\n`
    throw error
  }
}
