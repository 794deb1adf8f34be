import { useQuery } from '@tanstack/react-query'
import { mayDo, type Role } from '../projects/project.ts'
import type { Membership } from '../users/me.ts'
import { useOpenProject } from '../users/open-project.ts'
import { type FirstStep, type FirstStepList, firstStepsQuery, isFinished } from './queries.ts'

/** The lowest role that can do a step. */
const minRoles: Record<FirstStep, Role> = {
  channel: 'admin',
  widget: 'admin',
  article: 'admin',
  colleague: 'admin',
  hours: 'admin',
  ticket: 'operator',
}

export interface FirstSteps {
  projectId: string
  isShown: boolean
  isAdmin: boolean
  items: FirstStepList['items']
  testTicket: FirstStepList['test_ticket']
  done: number
}

const none = { items: [], testTicket: null, done: 0 }

function readSteps({ project, role }: Membership, list: FirstStepList | undefined): FirstSteps {
  const own = { projectId: project.id, isAdmin: mayDo(role, 'admin') }
  if (!list || !(list.is_shown || isFinished(list))) return { ...own, ...none, isShown: false }
  const items = list.items.filter(({ name }) => mayDo(role, minRoles[name]))
  const done = items.filter(({ is_done }) => is_done).length
  // Somebody who can do nothing about the rest needs no list.
  const isShown = own.isAdmin || done < items.length
  return { ...own, items, done, isShown, testTicket: list.test_ticket }
}

/** The steps that the reader can do. In a project that is set up, nothing is requested. */
export function useFirstSteps(): FirstSteps {
  const open = useOpenProject()
  const isWanted = open?.has_first_steps ?? false
  const { data } = useQuery({ ...firstStepsQuery(open?.project.id ?? ''), enabled: isWanted })
  return open && isWanted ? readSteps(open, data) : { ...none, projectId: '', isShown: false, isAdmin: false }
}
