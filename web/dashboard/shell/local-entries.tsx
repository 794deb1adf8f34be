import {
  ChatBubbleBottomCenterTextIcon,
  MoonIcon,
  PencilSquareIcon,
  TicketIcon,
} from '@heroicons/react/20/solid'
import { useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { accountPages } from '../account/account-pages.ts'
import { type Action, useActions } from '../core/actions.ts'
import { Avatar } from '../core/avatar.tsx'
import { commandText } from '../core/command-text.ts'
import type { ListedPage } from '../core/listed-pages.tsx'
import { preference } from '../core/preferences.ts'
import { text } from '../core/text.ts'
import { iconOf, nameOfView } from '../inbox/views.ts'
import { cannedQuery, fillCanned } from '../messages/canned.ts'
import { findInsertionTarget } from '../messages/insertion.ts'
import { peopleQuery } from '../operators/queries.ts'
import { useVisiblePages } from '../settings/visible-pages.ts'
import { useOpenProject } from '../users/open-project.ts'
import { viewsQuery } from '../views/queries.ts'
import type { Entry } from './entries.ts'
import { type GoTo, useGoTo } from './found-entries.ts'
import { iconOfPath, readRecent } from './recent.ts'

/** The entries of the command bar that are known without a search by the server. */

const shownRecent = 6

const toEntry = ({ id, name, group = text.shell.anywhere, icon, keys, run }: Action): Entry => ({
  ...{ id, label: name, group, icon, keys, run },
})

/** What can be done with the selection or the open ticket comes first. */
const isAboutOpen = ({ isForSelection, group }: Action): boolean =>
  isForSelection === true || group === text.actions.group

/** These are rarely what somebody looks for. */
const last = ['panel', 'undo']

const byUse = (one: Action, other: Action): number =>
  Number(last.includes(one.id)) - Number(last.includes(other.id))

function useRecentEntries(go: GoTo): Entry[] {
  const operatorId = useOpenProject()?.operator_id
  return useMemo(() => {
    const here = location.pathname.split('/').at(-1)
    const others = operatorId
      ? readRecent(operatorId).filter(({ path }) => path.split('/').at(-1) !== here)
      : []
    return others.map(({ path, label }) => ({
      ...{ id: path, label, group: commandText.recent, icon: iconOfPath(path) },
      run: () => go(path),
    }))
  }, [operatorId])
}

function usePageEntries(): Entry[] {
  const open = useOpenProject()
  const navigate = useNavigate()
  const settings = useVisiblePages(open?.project.id ?? '', open?.role ?? 'operator')
  const list = (pages: ListedPage[], group: string, base: string): Entry[] =>
    pages
      .filter(({ isHidden }) => !isHidden)
      .map(({ path, title, icon }) => ({
        ...{ id: `${base}/${path}`, group, icon, label: title() },
        words: `${group} ${commandText.words[path] ?? ''}`,
        run: () => navigate({ to: `${base}/${path}` }),
      }))
  return [
    ...(open ? list(settings, text.shell.settings, `/p/${open.project.id}/settings`) : []),
    ...list(accountPages, text.shell.account, '/account'),
  ]
}

function useLookEntries(): Entry[] {
  const { setColorScheme } = useMantineColorScheme()
  const { themes, themeWords, directions, directionWords, look: group } = commandText
  const schemes = (['light', 'dark', 'auto'] as const).map(scheme => ({
    ...{ id: `theme ${scheme}`, group, label: themes[scheme], words: themeWords, icon: MoonIcon },
    run: () => setColorScheme(scheme),
  }))
  const dirs = (['auto', 'ltr', 'rtl'] as const).map(dir => ({
    ...{
      id: `direction ${dir}`,
      group,
      label: directions[dir],
      words: directionWords,
      icon: PencilSquareIcon,
    },
    run: () => preference.set('dir', dir),
  }))
  return [...schemes, ...dirs]
}

/** Inserts a canned reply into the open composer. Without one, opens the page of canned replies. */
async function insertAnswer(id: string, go: GoTo): Promise<void> {
  const target = findInsertionTarget()
  if (!target) return void go('settings/canned-answers')
  const content = await fillCanned(target.place, id)
  if (content !== null) target.insert(content)
}

function useProjectEntries(projectId: string, go: GoTo): Entry[] {
  const enabled = projectId !== ''
  const { data: people = [] } = useQuery({ ...peopleQuery(projectId), enabled })
  const { data: answers = [] } = useQuery({ ...cannedQuery(projectId, ''), enabled })
  const { data: views = [] } = useQuery({ ...viewsQuery(projectId), enabled })
  return [
    ...views.map(view => ({
      ...{ id: `view ${view.id}`, group: text.inbox.views, label: nameOfView(view), icon: iconOf(view) },
      run: () => go(`inbox/${view.id}`),
    })),
    ...answers.map(({ id, title, shortcut, excerpt }) => ({
      ...{ id: `answer ${id}`, group: commandText.canned, label: title, about: excerpt, words: shortcut },
      icon: ChatBubbleBottomCenterTextIcon,
      run: () => insertAnswer(id, go),
    })),
    ...people.map(({ id, name, avatar_url }) => ({
      ...{ id: `person ${id}`, group: commandText.people, label: name, about: commandText.assignedTo(name) },
      picture: <Avatar size={20} src={avatar_url} name={name} />,
      run: () => go(`inbox/all`, { operator: id }),
    })),
  ]
}

/** The ticket with the typed number, which may not exist. */
export function numberEntry(words: string, go: GoTo): Entry[] {
  const [, number] = /^#?(\d{1,12})$/.exec(words.trim()) ?? []
  if (!number) return []
  const path = `inbox/open/${number}`
  const label = commandText.openNumber(number)
  return [{ id: path, group: text.inbox.tickets, label, icon: TicketIcon, run: () => go(path) }]
}

/** Without words, only what is likely: what can be done here, and what was opened recently. */
export function useLocalEntries(isOpen: boolean, words: string): Entry[] {
  const projectId = useOpenProject()?.project.id ?? ''
  const go = useGoTo(projectId)
  const actions = useActions(isOpen).filter(action => !action.isHidden)
  const recent = useRecentEntries(go)
  const pages = usePageEntries()
  const looks = useLookEntries()
  const ofProject = useProjectEntries(projectId, go)
  const own = actions.filter(isAboutOpen).toSorted(byUse).map(toEntry)
  const others = actions.filter(action => !isAboutOpen(action)).map(toEntry)
  return words.trim()
    ? [...own, ...recent, ...others, ...pages, ...ofProject, ...looks]
    : [...own, ...recent.slice(0, shownRecent), ...others]
}
