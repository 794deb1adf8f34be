import { NativeSelect, NavLink } from '@mantine/core'
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useAction } from './actions.ts'
import type { Icon } from './icon.ts'
import classes from './listed-pages.module.css'
import { text } from './text.ts'

export interface ListedPage {
  path: string
  title(): string
  icon: Icon
  /** Reached from another page, and not shown in the list. */
  isHidden?: boolean
  load(): Promise<{ default: ComponentType }>
}

interface LayoutProps {
  title: string
  base: string
  pages: ListedPage[]
}

/** A list of pages with the open page beside it. On a phone, a select above the page replaces the list. */
export function ListedPages({ title, base, pages }: LayoutProps) {
  const listed = pages.filter(page => !page.isHidden)
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const isOpen = ({ path }: ListedPage) => `${pathname}/`.startsWith(`${base}/${path}/`)
  return (
    <div className={classes.layout}>
      <nav className={classes.list} aria-label={title}>
        <p className={classes.title}>{title}</p>
        {listed.map(page => (
          <NavLink
            key={page.path}
            renderRoot={props => <Link to={`${base}/${page.path}`} {...props} />}
            label={page.title()}
            leftSection={<page.icon className={classes.icon} aria-hidden />}
            active={isOpen(page)}
            aria-current={isOpen(page) ? 'page' : undefined}
          />
        ))}
      </nav>
      <NativeSelect
        className={classes.choice}
        aria-label={title}
        value={listed.find(isOpen)?.path}
        data={listed.map(page => ({ value: page.path, label: page.title() }))}
        onChange={event => navigate({ to: `${base}/${event.currentTarget.value}` })}
      />
      <div className={classes.page}>
        <Outlet />
      </div>
      {listed.map(page => (
        <GoTo key={page.path} title={title} base={base} page={page} />
      ))}
    </div>
  )
}

function GoTo({ title, base, page }: { title: string; base: string; page: ListedPage }) {
  const navigate = useNavigate()
  useAction({
    id: `go ${base}/${page.path}`,
    name: `${title}: ${page.title()}`,
    group: text.shell.go,
    icon: page.icon,
    run: () => navigate({ to: `${base}/${page.path}` }),
  })
  return null
}
