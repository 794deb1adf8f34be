import { BuildingOffice2Icon } from '@heroicons/react/20/solid'
import { Empty } from '../core/empty.tsx'
import { usePageTitle } from '../core/page.tsx'
import { text } from '../core/text.ts'

export default function NoProjectPage() {
  usePageTitle(text.shell.noProjects)
  return (
    <Empty
      order={1}
      icon={BuildingOffice2Icon}
      title={text.shell.noProjects}
      about={text.shell.noProjectsAbout}
    />
  )
}
