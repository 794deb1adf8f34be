import type { Page } from 'playwright-core'
import type { Showroom } from '../showroom.ts'

export interface Shot {
  name: string
  scheme: 'light' | 'dark'
  size: 'wide' | 'phone'
  dir?: 'rtl'
  path(showroom: Showroom): Promise<string>
  act?: (page: Page) => Promise<unknown>
}

type Scene = Pick<Shot, 'name' | 'path' | 'act'>

const inProject =
  (path: string) =>
  async ({ projectId }: Showroom): Promise<string> =>
    `/p/${projectId}/${path}`

/** The path of the ticket whose subject starts with these words. */
const inTicket =
  (subject: string) =>
  async ({ db, projectId }: Showroom): Promise<string> => {
    const [row] = await db<{ number: number }[]>`
      select number from tickets where project_id = ${projectId} and starts_with(subject, ${subject})`
    return `/p/${projectId}/inbox/open/${row!.number}`
  }

async function toArticle({ db, projectId }: Showroom): Promise<string> {
  const [row] = await db<{ id: string }[]>`
    select article_id as id from article_translations
    where project_id = ${projectId} and title = 'Find the size that fits'`
  return `/p/${projectId}/settings/knowledge/${row!.id}`
}

async function toBot({ db, projectId }: Showroom): Promise<string> {
  const [row] = await db<{ id: string }[]>`select id from telegram_bots where project_id = ${projectId}`
  return `/p/${projectId}/settings/telegram-bots/${row!.id}`
}

async function toHelp({ db, projectId }: Showroom): Promise<string> {
  const [row] = await db<{ slug: string }[]>`select slug from projects where id = ${projectId}`
  return `/help/${row!.slug}`
}

const shown = (page: Page) => page.getByRole('heading').first().waitFor({ state: 'attached' })

/** On a phone, only the list is shown. */
async function listed(page: Page): Promise<void> {
  await page.locator('a[data-ticket]').first().waitFor()
  if (page.viewportSize()!.width > 800) await page.getByRole('heading', { name: 'Today' }).waitFor()
}

/** Waits until the preview has received its settings. */
const previewed = (page: Page) => page.frameLocator('iframe').getByRole('heading').first().waitFor()

const crack = inTicket('Cracked frame')

async function openCommandBar(page: Page): Promise<void> {
  await shown(page)
  await page.waitForTimeout(500)
  await page.keyboard.press('Control+k')
  const field = page.getByRole('dialog').getByRole('combobox')
  await field.fill('battery')
  await page.getByRole('dialog').getByText('Battery loses charge').first().waitFor()
}

const scenes: Scene[] = [
  { name: 'inbox', path: inProject('inbox/open'), act: listed },
  { name: 'conversation', path: crack, act: shown },
  { name: 'command-bar', path: crack, act: openCommandBar },
  { name: 'keys', path: inProject('settings/keys'), act: shown },
  { name: 'webhooks', path: inProject('settings/webhooks'), act: shown },
  { name: 'widget', path: inProject('settings/widget'), act: previewed },
  { name: 'telegram-ticket', path: inTicket('Scratches from'), act: shown },
  { name: 'telegram-bot', path: toBot, act: shown },
  { name: 'people', path: inProject('settings/people'), act: shown },
  { name: 'knowledge', path: toArticle, act: shown },
  { name: 'help', path: toHelp, act: shown },
]

const everyLook = (scene: Scene): Shot[] =>
  (['light', 'dark'] as const).flatMap(scheme =>
    (['wide', 'phone'] as const).map(size => ({ ...scene, scheme, size })),
  )

export const shots: Shot[] = [
  ...scenes.flatMap(everyLook),
  {
    name: 'conversation',
    scheme: 'light',
    size: 'wide',
    dir: 'rtl',
    path: inTicket('الدراجة'),
    act: shown,
  },
]
