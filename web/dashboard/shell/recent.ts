import { BookOpenIcon, BuildingOffice2Icon, TicketIcon, UserIcon } from '@heroicons/react/20/solid'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Icon } from '../core/icon.ts'
import { text } from '../core/text.ts'
import { pageTitle } from '../core/title.ts'
import { useOpenProject } from '../users/open-project.ts'

/** The records that a person has recently opened in a project, kept in this browser. */

export interface RecentRecord {
  /** Below the project. */
  path: string
  label: string
}

const maxRecords = 20

/** The first part of the path of each kind of record. */
export const iconOfPath = (path: string): Icon => icons[path.split('/')[0]!] ?? TicketIcon

const icons: Record<string, Icon> = {
  inbox: TicketIcon,
  contacts: UserIcon,
  organizations: BuildingOffice2Icon,
  settings: BookOpenIcon,
}

const prefix = 'deskbell recent '
/** The id of the membership keeps the records of several people in one browser apart. */
const placeOf = (operatorId: string): string => prefix + operatorId

const isRecord = (one: unknown): one is RecentRecord =>
  typeof one === 'object' && one !== null && 'path' in one && 'label' in one

export function readRecent(operatorId: string): RecentRecord[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(placeOf(operatorId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecord) : []
  } catch {
    return []
  }
}

export function rememberRecord(operatorId: string, record: RecentRecord): void {
  const others = readRecent(operatorId).filter(({ path }) => path !== record.path)
  try {
    localStorage.setItem(placeOf(operatorId), JSON.stringify([record, ...others].slice(0, maxRecords)))
  } catch {
    // Without storage, nothing is remembered.
  }
}

/** When a person signs out, so that the next one in this browser cannot read the names and subjects. */
export function forgetRecent(): void {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) localStorage.removeItem(name)
  } catch {
    // Without storage, there is nothing to forget.
  }
}

const inProject =
  /^\/p\/[^/]+\/(?:inbox\/[^/]+\/(\d+)|((?:contacts|organizations|settings\/knowledge)\/[^/]+))$/

/** Below the project; null for pages that show no record. Tickets are the same in every view. */
function readPath(pathname: string): string | null {
  const [, number, other] = inProject.exec(pathname) ?? []
  return number ? `inbox/open/${number}` : (other ?? null)
}

const isOfRecord = (path: string, title: string): boolean =>
  path.startsWith('inbox/')
    ? title.startsWith(`${text.inbox.number(path.split('/').at(-1)!)} `)
    : ![text.failure.title, text.failure.updatedTitle, text.failure.missingTitle].includes(title)

/** The title of the next page comes after its address. Two records may have the same title, so it may also stay. */
const sameTitleMs = 1_000

/** Remembers each record when its page has set its title. */
export function useRecording(): void {
  const title = pageTitle.use()
  const { pathname } = useLocation()
  const operatorId = useOpenProject()?.operator_id
  const before = useRef('')
  useEffect(() => {
    const path = readPath(pathname)
    const isSame = before.current === title
    before.current = title
    if (!operatorId || !path || !title || !isOfRecord(path, title)) return
    const remember = () => rememberRecord(operatorId, { path, label: title })
    if (!isSame) return remember()
    const timer = setTimeout(remember, sameTitleMs)
    return () => clearTimeout(timer)
  }, [title, pathname])
}
