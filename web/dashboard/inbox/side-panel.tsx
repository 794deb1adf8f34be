import { XMarkIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Drawer, Tabs, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { memo, useMemo } from 'react'
import { ContactPanel } from '../contacts/panel.tsx'
import { contextQuery } from '../contacts/queries.ts'
import { lazily } from '../core/lazy.tsx'
import PaneDivider from '../core/pane-divider.tsx'
import { text } from '../core/text.ts'
import type { Ticket } from '../tickets/queries.ts'
import { saveFields } from './change.ts'
import classes from './side-panel.module.css'

const Timeline = lazily(() => import('../history/timeline.tsx'))

export type PanelTab = 'contact' | 'history'

interface Props extends ContentProps {
  isOpen: boolean
  onToggle(): void
}

const nameOfTab = (tab: PanelTab): string => (tab === 'contact' ? text.contacts.contact : text.history.title)

/** The contact and the history of a ticket: beside the conversation on wide screens, in a drawer on narrow ones. */
export default memo(function SidePanel({ ticket, isOpen, onToggle, tab, setTab }: Props) {
  const isWide = useMediaQuery('(min-width: 88em)', true, { getInitialValueInEffect: false })
  const label = { 'aria-label': text.contacts.closePanel }
  if (!isWide)
    return (
      <Drawer
        opened={isOpen}
        onClose={onToggle}
        position="right"
        size="sm"
        title={nameOfTab(tab)}
        closeButtonProps={label}
      >
        <Content ticket={ticket} tab={tab} setTab={setTab} />
      </Drawer>
    )
  if (!isOpen) return null
  return (
    <>
      <PaneDivider pane="panel" side="after" />
      <aside className={classes.panel} aria-label={nameOfTab(tab)}>
        <Title order={2} className="hidden">
          {nameOfTab(tab)}
        </Title>
        <ActionIcon {...label} className={classes.close} onClick={onToggle}>
          <XMarkIcon width={18} aria-hidden />
        </ActionIcon>
        <Content ticket={ticket} tab={tab} setTab={setTab} />
      </aside>
    </>
  )
})

interface ContentProps {
  ticket: Ticket
  tab: PanelTab
  setTab(tab: PanelTab): void
}

const tabs: PanelTab[] = ['contact', 'history']

const Content = ({ ticket, tab, setTab }: ContentProps) => (
  <Tabs value={tab} onChange={next => setTab(next === 'history' ? 'history' : 'contact')} keepMounted={false}>
    <Tabs.List mb="sm" className={classes.tabs}>
      {tabs.map(one => (
        <Tabs.Tab key={one} value={one}>
          {nameOfTab(one)}
        </Tabs.Tab>
      ))}
    </Tabs.List>
    <Tabs.Panel value="contact">
      <ContactPanel ticket={ticket} onSaveFields={saveFields} />
    </Tabs.Panel>
    <Tabs.Panel value="history">
      <History ticket={ticket} />
    </Tabs.Panel>
  </Tabs>
)

function History({ ticket }: { ticket: Ticket }) {
  const { data } = useQuery(contextQuery(ticket.workspace_id, ticket.id))
  const labels = useMemo(
    () => new Map(data?.custom_fields.ticket.map(({ key, label }) => [key, label])),
    [data],
  )
  return <Timeline key={ticket.id} ticket={ticket} labels={labels} />
}
