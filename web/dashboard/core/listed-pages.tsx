import { NativeSelect, NavLink, TextInput } from '@mantine/core'
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { type ComponentType, useState } from 'react'
import { commandText } from './command-text.ts'
import type { Icon } from './icon.ts'
import classes from './listed-pages.module.css'
import { pageText } from './page-text.ts'

export interface ListedPage {
  path: string
  title(): string
  icon: Icon
  /** Reached from another page, and not shown in the list. */
  isHidden?: boolean
  load(): Promise<{ default: ComponentType }>
}

/** The paths of some pages, in the order in which the list shows them. */
export interface PageGroup {
  id: keyof typeof pageText.pageGroups.groups
  paths: string[]
}

interface LayoutProps {
  title: string
  base: string
  pages: ListedPage[]
  groups: PageGroup[]
  /** Pages elsewhere, which only the search shows. */
  others?: ShownGroup[]
}

export interface ShownGroup {
  name: string
  base: string
  pages: ListedPage[]
}

/** The groups that have pages which this person may see. */
const toShown = (groups: PageGroup[], pages: ListedPage[], base: string): ShownGroup[] =>
  groups
    .map(({ id, paths }) => ({
      base,
      name: pageText.pageGroups.groups[id],
      pages: paths.flatMap(path => pages.find(page => page.path === path && !page.isHidden) ?? []),
    }))
    .filter(group => group.pages.length > 0)

/** Every typed word is part of the page's title, its group's name or its other words. */
function findPages(groups: ShownGroup[], typed: string): ShownGroup[] {
  const words = typed.toLowerCase().split(/\s+/)
  const found = groups.map(({ name, base, pages }) => ({
    name,
    base,
    pages: pages.filter(({ path, title }) => {
      const known = `${title()} ${name} ${commandText.words[path] ?? ''}`.toLowerCase()
      return words.every(word => known.includes(word))
    }),
  }))
  return found.filter(({ pages }) => pages.length > 0)
}

/** A list of pages in groups with the open page beside it. On a phone, a select above the page replaces the list. */
export function ListedPages({ title, base, pages, groups, others = [] }: LayoutProps) {
  const shown = toShown(groups, pages, base)
  const listed = shown.flatMap(group => group.pages)
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const isOpen = ({ path }: ListedPage) => `${pathname}/`.startsWith(`${base}/${path}/`)
  return (
    <div className={classes.layout}>
      <nav className={classes.list} aria-label={title}>
        <p className={classes.title}>{title}</p>
        <PageList groups={shown} others={others} openPath={listed.find(isOpen)?.path} />
      </nav>
      <NativeSelect
        className={classes.choice}
        aria-label={title}
        value={listed.find(isOpen)?.path}
        data={shown.map(group => ({
          group: group.name,
          items: group.pages.map(page => ({ value: page.path, label: page.title() })),
        }))}
        onChange={event => navigate({ to: `${base}/${event.currentTarget.value}` })}
      />
      <div className={classes.page}>
        <Outlet />
      </div>
    </div>
  )
}

interface ListProps {
  groups: ShownGroup[]
  others: ShownGroup[]
  /** The path of the open page, which is in one of the groups. */
  openPath: string | undefined
}

/** Enter opens the first page that matches the typed words. */
function PageList({ groups, others, openPath }: ListProps) {
  const [typed, setTyped] = useState('')
  const navigate = useNavigate()
  const found = findPages(typed ? [...groups, ...others] : groups, typed)
  const [first] = found
  return (
    <>
      <TextInput
        type="search"
        size="xs"
        className={classes.find}
        aria-label={pageText.pageGroups.find}
        placeholder={pageText.pageGroups.find}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        onKeyDown={({ key }) =>
          key === 'Enter' && typed && first && navigate({ to: `${first.base}/${first.pages[0]!.path}` })
        }
      />
      <p role="status" className={found.length > 0 ? 'hidden' : classes.none}>
        {found.length === 0 && pageText.pageGroups.none}
      </p>
      {found.map(group => (
        <GroupLinks
          key={group.name}
          group={group}
          openPath={others.some(({ base }) => base === group.base) ? undefined : openPath}
        />
      ))}
    </>
  )
}

function GroupLinks({ group, openPath }: { group: ShownGroup; openPath: string | undefined }) {
  const { name, base, pages } = group
  return (
    <section aria-label={name}>
      <p className={classes.group} aria-hidden>
        {name}
      </p>
      {pages.map(page => (
        <NavLink
          key={page.path}
          renderRoot={props => <Link to={`${base}/${page.path}`} {...props} />}
          label={page.title()}
          leftSection={<page.icon className={classes.icon} aria-hidden />}
          active={page.path === openPath}
          aria-current={page.path === openPath ? 'page' : undefined}
        />
      ))}
    </section>
  )
}
