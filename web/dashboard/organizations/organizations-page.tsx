import { BuildingOffice2Icon, MagnifyingGlassIcon, PlusIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Group, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import classes from '../contacts/contacts.module.css'
import { type Organization, organizationsQuery } from '../contacts/organization-queries.ts'
import { useAction } from '../core/actions.ts'
import { Empty } from '../core/empty.tsx'
import { EmptyAction } from '../core/empty-action.tsx'
import { Failed } from '../core/failed.tsx'
import { More } from '../core/more.tsx'
import { pageText } from '../core/page-text.ts'
import { Loading } from '../core/states.tsx'
import { useProject } from '../projects/project.ts'
import { NewOrganization } from './new-organization.tsx'

/** The list of organizations, and the selected one beside it. */
export default function OrganizationsPage() {
  const { organizationId } = useParams({ strict: false })
  const [words, setWords] = useState('')
  const [isCreating, setCreating] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { title, search, create } = pageText.organizations
  useAction({
    id: 'search organizations',
    name: search,
    group: title,
    keys: '/',
    run: () => field.current?.select(),
  })
  useAction({
    id: 'new organization',
    name: create,
    group: title,
    icon: PlusIcon,
    run: () => setCreating(true),
  })
  return (
    <div className={classes.page} data-open={organizationId !== undefined || undefined}>
      <section className={classes.list} aria-label={title}>
        <Group justify="space-between" wrap="nowrap" className={classes.heading}>
          <Title order={organizationId === undefined ? 1 : 2} size="h2">
            {title}
          </Title>
          <ActionIcon size="lg" aria-label={create} title={create} onClick={() => setCreating(true)}>
            <PlusIcon width={18} aria-hidden />
          </ActionIcon>
        </Group>
        <search className={classes.search}>
          <TextInput
            ref={field}
            aria-label={search}
            placeholder={search}
            maxLength={200}
            value={words}
            onChange={event => setWords(event.currentTarget.value)}
            leftSection={<MagnifyingGlassIcon width={16} aria-hidden />}
          />
        </search>
        <div className={classes.scroll}>
          <List words={words.trim()} />
        </div>
      </section>
      <div className={classes.detail}>
        <Outlet />
      </div>
      <NewOrganization isOpen={isCreating} onClose={() => setCreating(false)} />
    </div>
  )
}

function List({ words }: { words: string }) {
  const { id } = useProject()
  const [searched] = useDebouncedValue(words, 200)
  const list = useInfiniteQuery(organizationsQuery(id, searched))
  const found = list.data?.pages.flatMap(({ items }) => items) ?? []
  const { none, noneAbout, noneFound, noneFoundAbout, addFirst } = pageText.organizations
  if (list.isPending) return <Loading />
  if (found.length === 0 && !list.error)
    return searched ? (
      <Empty icon={BuildingOffice2Icon} title={noneFound} about={noneFoundAbout} />
    ) : (
      <Empty icon={BuildingOffice2Icon} title={none} about={noneAbout}>
        <EmptyAction id="new organization" label={addFirst} />
      </Empty>
    )
  return (
    <>
      {found.map(one => (
        <Row key={one.id} projectId={id} organization={one} />
      ))}
      {list.error ? <Failed error={list.error} retry={list.refetch} /> : <More list={list} />}
    </>
  )
}

const Row = ({ projectId, organization }: { projectId: string; organization: Organization }) => (
  <Link
    to="/p/$projectId/organizations/$organizationId"
    params={{ projectId, organizationId: organization.id }}
    className={classes.row}
  >
    <span className={classes.rowWords}>
      <Text span display="block" truncate dir="auto">
        {organization.name}
      </Text>
      <Text span display="block" size="sm" c="dimmed" truncate>
        {organization.domains.join(', ') || organization.external_id}
      </Text>
    </span>
    <Text span size="xs" c="dimmed">
      {pageText.organizations.memberCount(organization.contacts_count)}
    </Text>
  </Link>
)
