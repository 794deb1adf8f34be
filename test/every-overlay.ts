import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { listViolationsIn, untilIn } from './browser.ts'
import { makeMessage, makeTicket } from './cast.ts'
import { type OwnerDashboard, useDashboard } from './dashboard.ts'
import type { Look } from './every-page.ts'
import { needs } from './needs.ts'
import { joinProject } from './operator.ts'
import { makeOrganization } from './organization.ts'
import type { Overlay } from './overlays/steps.ts'
import type { Values } from './pages.ts'
import { until } from './until.ts'
import { makePicture } from './upload.ts'

const chromium = needs('chromium')

/** Opens every dialog, menu and popover of the dashboard. Each look has its own test file. */

interface Stage {
  dashboard: OwnerDashboard
  /** The records that addresses name. */
  values: Values
}

/** A dashboard with records for all overlays. Each test file needs its own, because files can share a process. */
function useStage(): Stage {
  const stage = { values: {} } as Stage
  stage.dashboard = useDashboard(async started => {
    stage.values = await prepare(started)
  })
  return stage
}

async function prepare({ server, olga }: OwnerDashboard): Promise<Values> {
  const { api, acme } = server
  await joinProject(server, acme, { name: 'Omar' })
  await olga.api.post('/departments', { name: 'Billing' })
  await olga.api.post('/tags', { name: 'vip', color: '#be123c' })
  await olga.api.post('/views', { name: 'Urgent', filters: { priority: ['urgent'] } })
  await olga.api.post('/canned-answers', { shortcut: 'bye', title: 'Bye', content: 'Goodbye' })
  await olga.api.post('/custom-fields', { record: 'ticket', key: 'order', label: 'Order', type: 'text' })
  await olga.api.post('/knowledge/categories', { title: 'Parcels', icon: '📦' })
  const article = await olga.api.post('/knowledge/articles', { title: 'A', markdown: '# B' })
  const webhook = await olga.api.post('/webhooks', { url: 'https://example.com/hook' })
  const organization = await makeOrganization(api)
  await makeTicket(api, { subject: 'Another', content: 'Hello', tags: ['vip'] })
  const ticket = await makeTicket(api, { subject: 'Broken lamp', content: 'Hello', tags: ['vip'] })
  await makeMessage(api, ticket.id, { media_ids: [(await makePicture(api)).id] })
  await olga.api.post(`/tickets/${ticket.id}/messages`, { content: 'Look', is_internal: true })
  return {
    number: ticket.short_id,
    contactId: ticket.contact_id,
    organizationId: organization.id,
    articleId: article.body.id,
    webhookId: webhook.body.id,
  }
}

const addressOf = ({ dashboard, values }: Stage, { path }: Overlay): string =>
  (path.startsWith('/') ? `/p/${dashboard.server.acme.id}${path}` : `/${path}`).replace(
    /\$(\w+)/g,
    (_, name: string) => values[name]!,
  )

interface Part {
  scrollIntoView(options: { block: 'nearest' }): void
  getClientRects(): { x: number; y: number; width: number; height: number }[]
}

const targets = 'button, a, input, select, textarea, [role=option], [role=menuitem]'

/** Whether all of it can be seen in a window of 1280 px by 800 px at a zoom of 200 %, by scrolling too. */
async function isReachable(page: Page, overlay: Locator): Promise<boolean> {
  // In one call, because some overlays close when the window changes.
  const box = await overlay.locator(targets).evaluateAll((found: Part[]) => {
    const last = found.at(-1)
    last?.scrollIntoView({ block: 'nearest' })
    const { x = 0, y = 0, width = 0, height = 0 } = last?.getClientRects()[0] ?? {}
    return last && { x, y, width, height }
  })
  if (!box) return true
  const { x, y, width, height } = box
  const screen = page.viewportSize()!
  return width > 0 && x >= 0 && y >= 0 && x + width <= screen.width + 1 && y + height <= screen.height + 1
}

async function listProblems(stage: Stage, page: Page, overlay: Overlay, look: Look): Promise<string[]> {
  await page.setViewportSize({ width: look.width, height: 800 })
  await page.goto(addressOf(stage, overlay))
  for (const step of overlay.steps) await step(page)
  const shown = overlay.find(page)
  await shown.waitFor()
  const problems = await listViolationsIn(page, shown)
  await untilIn(page, 'document.documentElement.scrollWidth <= innerWidth').catch(() =>
    problems.push(`is wider than ${look.width} px`),
  )
  if (look.width < zoomed.width) {
    await page.setViewportSize(zoomed)
    // Some overlays move or are rendered again after the window has changed.
    await until(() => isReachable(page, overlay.find(page))).catch(() =>
      problems.push('is cut off at a zoom of 200 %'),
    )
  }
  return problems
}

/** 1280 px by 800 px at 200 %. */
const zoomed = { width: 640, height: 400 }

/** So many overlays share a test, which has a time limit. */
const overlaysPerTest = 12

async function checkOverlays(
  stage: Stage,
  t: TestContext,
  overlays: readonly Overlay[],
  look: Look,
): Promise<void> {
  const { colorScheme, dir } = look
  const { dashboard } = stage
  const page = await dashboard.open(dashboard.olga, { colorScheme, reducedMotion: 'reduce' })
  await page.addInitScript(`localStorage.setItem('deskbell', '{"dir":"${dir}"}')`)
  const problems: string[] = []
  for (const overlay of overlays) {
    const found = await listProblems(stage, page, overlay, look).catch(error => [`did not open: ${error}`])
    for (const one of found) {
      problems.push(`${overlay.file} (${overlay.path}) ${one}`)
      t.diagnostic(problems.at(-1)!)
    }
  }
  assert.deepEqual(problems, [])
}

/** Adds tests of these overlays in this look. */
export function testOverlays(overlays: readonly Overlay[], look: Look): void {
  const stage = useStage()
  const offered = overlays.filter(({ isNarrow }) => !isNarrow || look.width < zoomed.width)
  for (let at = 0; at < offered.length; at += overlaysPerTest) {
    const some = offered.slice(at, at + overlaysPerTest)
    const title = `dialogs, menus and popovers have no accessibility violations: ${Object.values(look).join(', ')}, from ${some[0]!.file}`
    test(title, chromium, t => checkOverlays(stage, t, some, look))
  }
}
