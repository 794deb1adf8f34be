import { BuildingOfficeIcon, PlusIcon } from '@heroicons/react/20/solid'
import { Badge, Button, Group, Modal, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Empty } from '../core/empty.tsx'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Row, Rows } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'
import { type Department, departmentsQuery, peopleQuery } from '../operators/queries.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { DepartmentForm } from './department-form.tsx'
import { DepartmentMenu } from './department-menu.tsx'

export default function DepartmentsPage() {
  const { id, role } = useProject()
  const { data: departments } = useQuery(departmentsQuery(id))
  const [isCreating, setCreating] = useState(false)
  const close = () => setCreating(false)
  const action = mayDo(role, 'admin') && (
    <Button leftSection={<PlusIcon width={16} aria-hidden />} onClick={() => setCreating(true)}>
      {pageText.departments.create}
    </Button>
  )
  return (
    <Page title={pageText.departments.title} about={pageText.departments.about} actions={action}>
      {!departments && <Loading />}
      {departments?.length === 0 && (
        <Empty
          icon={BuildingOfficeIcon}
          title={pageText.departments.none}
          about={pageText.departments.noneAbout}
        />
      )}
      {departments && departments.length > 0 && (
        <Rows label={pageText.departments.title}>
          {departments.map(department => (
            <DepartmentRow key={department.id} department={department} />
          ))}
        </Rows>
      )}
      <Modal opened={isCreating} onClose={close} title={pageText.departments.create}>
        <DepartmentForm onDone={close} />
      </Modal>
    </Page>
  )
}

function DepartmentRow({ department }: { department: Department }) {
  const { id, role } = useProject()
  const { data: people = [] } = useQuery(peopleQuery(id))
  const names = people.filter(one => department.operator_ids.includes(one.id)).map(one => one.name)
  const menu = mayDo(role, 'admin') && <DepartmentMenu department={department} />
  return (
    <Row aside={menu}>
      <Group gap={8}>
        <Text fw={550}>{department.name}</Text>
        {department.is_default && <Badge variant="default">{pageText.departments.isDefault}</Badge>}
      </Group>
      <Text size="sm" c="dimmed">
        {names.join(', ') || pageText.departments.nobody}
      </Text>
    </Row>
  )
}
