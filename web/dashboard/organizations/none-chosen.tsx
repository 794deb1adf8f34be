import { BuildingOffice2Icon } from '@heroicons/react/20/solid'
import { Empty } from '../core/empty.tsx'
import { usePageTitle } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'

/** Shown while no organization is selected. */
export default function NoneChosen() {
  const { title, choose, chooseAbout } = pageText.organizations
  usePageTitle(title)
  return <Empty icon={BuildingOffice2Icon} title={choose} about={chooseAbout} />
}
